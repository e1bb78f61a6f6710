import { createHash } from 'node:crypto'
import { Failure, type Hex } from '@chainboard/core'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Chain, ChainLog, WantedContracts } from '../chain/chain.ts'
import type { Db } from '../store/store.ts'
import type { BlockSpan } from '../store/swaps.ts'
import { eventText, timedText } from './eventText.ts'
import { type AnyEvent, listEventsIn, type PoolFacts, poolText } from './spanEvents.ts'

const spanFirst = 500
/** Events that one range should hold: bounds memory. */
const eventsWanted = 5_000
const retriesMax = 5
const retryFirstMs = 500
/** Differing blocks that are kept; an index that differs in more is best made again. */
const differencesMax = 10_000

/** A log as the index would keep it; `pool` is its pool's address. Undefined for a log that the index does not keep. */
export type Decoded =
  | { readonly kind: 'event'; readonly event: AnyEvent }
  | (PoolFacts & { readonly kind: 'pool'; readonly blockNumber: number })

export type AuditDeps = {
  readonly chain: Pick<Chain, 'readRange'>
  readonly read: Db
  readonly topics: readonly Hex[]
  /** What of a log belongs into this index: pools of its factory and scope, and events of any pool. */
  readonly decode: (log: ChainLog) => Decoded | undefined
  /** Whose logs are of use, for a node that wants contracts named. */
  readonly contracts: WantedContracts
  readonly spanMax: number
  readonly pause: (ms: number) => Promise<void>
}

/** How far an audit has come; plain JSON, so that it can be kept and gone on with. */
export type AuditProgress = {
  readonly identity: string
  readonly from: number
  readonly to: number
  /** The block to read next. */
  readonly next: number
  readonly events: number
  /** Checksum of each UTC day, `2026-11-22`, of the index's events so far. */
  readonly days: Readonly<Record<string, string>>
  /** Blocks at which index and chain have different events, ascending. */
  readonly differences: readonly number[]
}

const progressShape = Type.Object({
  identity: Type.String(),
  from: Type.Number(),
  to: Type.Number(),
  next: Type.Number(),
  events: Type.Number(),
  days: Type.Record(Type.String(), Type.String()),
  differences: Type.Array(Type.Number()),
})

/** Whether a value is what an audit kept of its progress. */
export function isAuditProgress(value: unknown): value is AuditProgress {
  return Value.Check(progressShape, value)
}

const emptyChecksum = '0'.repeat(64)

/** An audit before its first range; both blocks are in it. */
export function startAudit(identity: string, { from, to }: { from: number; to: number }): AuditProgress {
  return { identity, from, to, next: from, events: 0, days: {}, differences: [] }
}

/**
 * Compares the events of the index and their times with the chain, range by range.
 * A day's checksum starts as 32 zero bytes; each event makes it SHA-256(checksum, its line of `eventText` in UTF-8), which
 * has no time in it: a wrong time is a difference, and shows in a checksum only where it puts an event into another day.
 * @yields the progress after each range; the last one is at the end
 * @throws Failure `rpc-…` when the node does not answer after 5 tries
 */
export async function* auditIndex(deps: AuditDeps, start: AuditProgress): AsyncGenerator<AuditProgress, AuditProgress> {
  const pools = await listPoolTexts(deps.read)
  let progress = start
  let span = Math.min(spanFirst, deps.spanMax)
  let tries = 0
  while (progress.next <= progress.to) {
    const fromBlock = progress.next
    const toBlock = Math.min(progress.to, fromBlock + span - 1)
    try {
      const rows = await listEventsIn(deps.read, { fromBlock, toBlock })
      const found = await readChain(deps, pools, { fromBlock, toBlock })
      const differences = listDifferences(rows, found)
      progress = {
        ...progress,
        next: toBlock + 1,
        events: progress.events + rows.length,
        days: addToDays(progress.days, rows),
        differences: [...progress.differences, ...differences].slice(0, differencesMax),
      }
      const fitting = rows.length === 0 ? span * 2 : Math.floor((span * eventsWanted) / rows.length)
      span = Math.max(1, Math.min(deps.spanMax, span * 2, fitting))
      tries = 0
      yield progress
    } catch (error) {
      if (!(error instanceof Failure) || !error.retryable) throw error
      const isTooWide = error.code === 'rpc-range-too-wide' && span > 1
      span = Math.max(1, Math.floor(span / 2))
      if (isTooWide) continue
      tries += 1
      if (tries > retriesMax) throw error
      await deps.pause(retryFirstMs * 2 ** tries)
    }
  }
  return progress
}

/** Blocks that still differ when they are compared once more: the index may have repaired itself meanwhile. */
export async function confirmDifferences(deps: AuditDeps, differences: readonly number[]): Promise<number[]> {
  const pools = await listPoolTexts(deps.read)
  const still: number[] = []
  for (const block of differences) {
    const span = { fromBlock: block, toBlock: block }
    const rows = await listEventsIn(deps.read, span)
    if (listDifferences(rows, await readChain(deps, pools, span)).length > 0) still.push(block)
  }
  return still
}

/** What the index has of its pools, in words, by address. */
async function listPoolTexts(read: Db): Promise<ReadonlyMap<string, string>> {
  const facts = ['address as pool', 'token0', 'token1', 'fee', 'tick_spacing as tickSpacing'] as const
  const rows = await read.selectFrom('pools').select(facts).execute()
  return new Map(rows.map((row) => [row.pool, poolText(row)]))
}

type Found = { readonly events: readonly AnyEvent[]; readonly wrongPools: readonly number[] }

/** Events of the index's pools, and the blocks of pools that it should have and has not, or has otherwise. */
async function readChain(
  { chain, topics, decode, contracts }: AuditDeps,
  pools: ReadonlyMap<string, string>,
  span: BlockSpan,
): Promise<Found> {
  const { logs } = await chain.readRange({ from: span.fromBlock, to: span.toBlock, topics, contracts, everyHeader: false })
  const decoded = logs.flatMap((log) => decode(log) ?? [])
  return {
    events: decoded.flatMap((each) => (each.kind === 'event' && pools.has(each.event.pool) ? [each.event] : [])),
    wrongPools: decoded.flatMap((each) =>
      each.kind === 'pool' && pools.get(each.pool) !== poolText(each) ? [each.blockNumber] : [],
    ),
  }
}

function listDifferences(rows: readonly AnyEvent[], { events, wrongPools }: Found): number[] {
  const ours = new Map(rows.map((event) => [timedText(event), event.blockNumber]))
  const theirs = new Map(events.map((event) => [timedText(event), event.blockNumber]))
  const blocks = [
    ...[...ours].filter(([text]) => !theirs.has(text)).map(([, block]) => block),
    ...[...theirs].filter(([text]) => !ours.has(text)).map(([, block]) => block),
    ...wrongPools,
  ]
  return [...new Set(blocks)].sort((a, b) => a - b)
}

function addToDays(days: AuditProgress['days'], rows: readonly AnyEvent[]): AuditProgress['days'] {
  const next: Record<string, string> = { ...days }
  for (const event of rows) {
    const day = new Date(event.timestampSeconds * 1_000).toISOString().slice(0, 10)
    const before = Buffer.from(next[day] ?? emptyChecksum, 'hex')
    next[day] = createHash('sha256').update(before).update(eventText(event)).digest('hex')
  }
  return next
}

/** Ascending blocks as spans, `5-7`, of blocks that follow each other. */
export function toSpans(blocks: readonly number[]): string[] {
  const spans: [number, number][] = []
  for (const block of blocks) {
    const last = spans.at(-1)
    if (last && block === last[1] + 1) last[1] = block
    else spans.push([block, block])
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`))
}
