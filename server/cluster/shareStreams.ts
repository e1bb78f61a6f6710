import { randomUUID } from 'node:crypto'
import { Failure } from '@chainboard/core'
import type { Store } from '../store/store.ts'
import { deleteStreamCounts, listStreamServers, readStreamCounts, saveStreamCounts } from '../store/streamCounts.ts'

const shareEveryMs = 1_000
/** Counts that have not changed are written again after so many turns, so that others know that this server is there. */
const turnsMax = 4

export type StreamSharing = {
  /** Streams that other servers have open for a subject, as of about a second ago. */
  readonly others: (subject: string) => number
  /** Names the streams of this server. Called again, in the place of the one before. */
  readonly share: (counts: () => ReadonlyMap<string, number>) => void
  stop(): Promise<void>
}

type Parts = {
  readonly store: Store
  /** Of a subject, which may be somebody's address. */
  readonly hash: (subject: string) => string
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: { warn(facts: object, text: string): void; error(facts: object, text: string): void }
}

/**
 * Tells the other servers how many streams are open here for each address and key, and learns theirs, every second until stopped. While the
 * database is away, what was last known counts.
 */
export function shareStreams({ store, hash, pause, log }: Parts): StreamSharing {
  const server = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  const known = new Map<string, { readonly number: number; readonly counts: ReadonlyMap<string, number> }>()
  let sums: ReadonlyMap<string, number> = new Map()
  let own: () => ReadonlyMap<string, number> = () => new Map()
  let written = ''
  let [number, turns] = [0, turnsMax]
  let failing = false

  const tell = async () => {
    const counts = new Map([...own()].map(([subject, count]) => [hash(subject), count]))
    const text = JSON.stringify([...counts])
    turns += 1
    if (text === written && turns < turnsMax) return
    if (text !== written) number += 1
    await store.write((tx) => saveStreamCounts(tx, server, number, counts))
    written = text
    turns = 0
  }
  const learn = async () => {
    const there = await listStreamServers(store.read, server)
    for (const name of known.keys()) if (!there.has(name)) known.delete(name)
    for (const [name, newest] of there)
      if (known.get(name)?.number !== newest)
        known.set(name, { number: newest, counts: await readStreamCounts(store.read, name) })
    const next = new Map<string, number>()
    for (const { counts } of known.values())
      for (const [subject, count] of counts) next.set(subject, (next.get(subject) ?? 0) + count)
    sums = next
  }
  const turn = async () => {
    try {
      await tell()
      await learn()
      failing = false
    } catch (error) {
      const level = error instanceof Failure ? 'warn' : 'error'
      if (!failing) log[level]({ err: error }, 'The streams of other servers cannot be read: the last known numbers apply')
      failing = true
    }
  }
  const sharing = (async () => {
    while (!signal.aborted) {
      await turn()
      await pause(shareEveryMs, signal)
    }
  })()
  return {
    others: (subject) => sums.get(hash(subject)) ?? 0,
    share: (counts) => {
      own = counts
    },
    stop: async () => {
      stopping.abort()
      await sharing
      await store.write((tx) => deleteStreamCounts(tx, server)).catch(() => undefined)
    },
  }
}
