import { setTimeout as sleep } from 'node:timers/promises'
import type { Devnet } from '@chainboard/devnet'
import { at } from '../../devnet/at.ts'
import { readTick } from '../readTick.ts'

/** Trades of a devnet that can be paused. */
export type Market = {
  /** Undoes the newest blocks at the next turn. */
  reorg(depth: number): void
  /** No block is made while `work` runs. */
  still<T>(work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

/** The devnet's blocks carry whole seconds: faster ones would run ahead of the clock. */
const everyMs = 1_000
const poolsTraded = 6

/** Trades once a second until stopped; unlike the devnet's own market it can be paused. */
export function startMarket(devnet: Devnet): Market {
  const end = new AbortController()
  const reorgs: number[] = []
  let [holds, turns] = [0, 0]
  let turn: Promise<unknown> = Promise.resolve()
  const take = async () => {
    const depth = reorgs.shift()
    if (depth !== undefined) return devnet.reorg(depth)
    turns += 1
    const pool = at(devnet.pools, turns % Math.min(poolsTraded, devnet.pools.length))
    const toTick = (await readTick(devnet, pool.address)) + (turns % 4 < 2 ? 1 : -1) * (3 + (turns % 5))
    // A reorg sets the node's clock back.
    const { timestamp } = await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
    await devnet.trade([{ pool: pool.address, toTick }], Math.max(Math.floor(Date.now() / 1_000), Number(timestamp) + 1))
    return undefined
  }
  const run = async () => {
    while (!end.signal.aborted) {
      if (holds === 0) {
        turn = take().catch((error: unknown) => end.signal.aborted || console.error('A trade failed:', error))
        await turn
      }
      await sleep(everyMs, undefined, { signal: end.signal }).catch(() => undefined)
    }
  }
  const done = run()
  return {
    reorg: (depth) => void reorgs.push(depth),
    still: async (work) => {
      holds += 1
      try {
        await turn
        return await work()
      } finally {
        holds -= 1
      }
    },
    stop: () => {
      end.abort()
      return done
    },
  }
}
