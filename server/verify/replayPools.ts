import type { Address } from '@chainboard/core'
import type { Header } from '../chain/chain.ts'
import { type Replay, type ReplayEvent, type ReplayPool, replayWorld } from '../indexer/replayWorld.ts'
import type { Valuation } from '../indexer/world.ts'
import { readPoolAt } from './readPoolAt.ts'
import { type Asking, readPoolEvents } from './readPoolEvents.ts'

/** A pool of the exchange. `firstSwapAtSeconds` is undefined for one that never traded, or of which it is not known. */
export type KnownPool = Pick<ReplayPool, 'address' | 'token0' | 'token1' | 'fee' | 'firstSwapAtSeconds'>

export type ReplayRequest = {
  readonly pools: readonly KnownPool[]
  readonly decimals: ReadonlyMap<Address, number>
  readonly valuation: Valuation
  /** The block before the first one; undefined: the chain had none. */
  readonly before: Header | undefined
  readonly last: Header
}

/** What some pools went through, by a node alone. */
export type PoolReplay = Replay & {
  readonly events: ReadonlyMap<Address, readonly ReplayEvent[]>
  /** sqrtPriceX96 before the first block; 0 of a pool that was not open. */
  readonly startPrices: ReadonlyMap<Address, bigint>
}

/** Reads pools before a span and their logs in it, and folds them as the index does. @throws Failure `rpc-…` as the node does */
export async function replayPools(asking: Asking, request: ReplayRequest): Promise<PoolReplay> {
  const { pools, decimals, valuation, before, last } = request
  const events = new Map<Address, readonly ReplayEvent[]>()
  const started: ReplayPool[] = []
  // One after the other: gateways for browsers take small batches.
  for (const pool of pools) {
    const own = await readPoolEvents(asking, pool.address, { from: (before?.number ?? -1) + 1, to: last.number })
    const start = await readPoolAt(asking, { pool: pool.address, before, last: last.number, events: own })
    events.set(pool.address, own)
    const first = pool.firstSwapAtSeconds
    const hadTraded = before !== undefined && first !== undefined && first <= before.timestampSeconds
    started.push({ ...pool, ...start, firstSwapAtSeconds: hadTraded ? first : undefined })
  }
  return {
    ...replayWorld(valuation, { pools: started, decimals }, [...events.values()].flat()),
    events,
    startPrices: new Map(started.map(({ address, standing }) => [address, standing.sqrtPriceX96])),
  }
}
