// Keeps the chain's state on disk while it runs.
import { setTimeout as sleep } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { getDevAddress } from './addresses.ts'
import { loadState, readHead } from './generate.ts'
import type { Rpc } from './rpc.ts'
import { repackDump, type StateAbout, writeState } from './stateFile.ts'
import type { ChainWriter } from './writer.ts'

export type KeeperOptions = {
  readonly rpc: Rpc
  readonly writer: ChainWriter
  /** Whether this node has made the history itself, and still holds its traces. */
  readonly isFresh: boolean
  readonly folder: string
  readonly about: StateAbout
  readonly onProblem: (text: string) => void
}

const lookMs = 2_000
const afterUserMs = 3_000
/** The first save leaves the node to its first readers. */
const firstSaveMs = 15_000
const periodMs = 10 * 60_000
const blocksPerLookMax = 256

type Block = { readonly transactions: readonly { readonly to: string | null }[] }

/**
 * Saves soon after the start, within seconds after a transaction that is not the market's own, every ten minutes, and when stopped.
 * The node answers reads while it dumps; a failed save is told and tried again with the next one.
 */
export function startKeeper(options: KeeperOptions): { stop(): Promise<void> } {
  const { rpc, folder, about, onProblem } = options
  const end = new AbortController()
  let isHeavy = options.isFresh
  const save = async () => {
    try {
      const state = isHeavy
        ? await options.writer.alone(() => slimDown(rpc))
        : await repackDump(await rpc.call('anvil_dumpState'))
      isHeavy = false
      await writeState(folder, about, state)
    } catch (error) {
      onProblem(`the local chain could not be saved in ${folder}: ${error instanceof Error ? error.message : error}`)
    }
  }
  const run = async () => {
    let seen = (await readHead(rpc)).number
    let nextMs = Date.now() + firstSaveMs
    while (!end.signal.aborted) {
      await sleep(lookMs, undefined, { signal: end.signal }).catch(() => {})
      if (end.signal.aborted) return
      try {
        const look = await lookForUsers(rpc, seen)
        seen = look.head
        if (!look.found && Date.now() < nextMs) continue
        if (look.found) await sleep(afterUserMs, undefined, { signal: end.signal })
      } catch {
        continue
      }
      await save()
      nextMs = Date.now() + periodMs
    }
  }
  const done = run().catch((error) =>
    onProblem(`the local chain is not being saved: ${error instanceof Error ? error.message : error}`),
  )
  return {
    async stop() {
      end.abort()
      await done
      isHeavy = false
      await save()
    },
  }
}

/** Gives the node its own state back without traces: from then on a dump takes a fifth of the time. */
async function slimDown(rpc: Rpc): Promise<Buffer> {
  const state = await repackDump(await rpc.call('anvil_dumpState'))
  await loadState(rpc, state)
  return state
}

/** Whether a block after `seen` holds a transaction to anything but the market. */
async function lookForUsers(rpc: Rpc, seen: number): Promise<{ found: boolean; head: number }> {
  const { number: head } = await readHead(rpc)
  const from = Math.min(head, Math.max(seen, head - blocksPerLookMax)) + 1
  const numbers = Array.from({ length: head - from + 1 }, (_, place) => from + place)
  const blocks = await rpc.batch<Block | null>(numbers.map((number) => ['eth_getBlockByNumber', [numberToHex(number), true]]))
  const market = getDevAddress('market').toLowerCase()
  return { found: blocks.some((block) => block?.transactions.some(({ to }) => to?.toLowerCase() !== market)), head }
}
