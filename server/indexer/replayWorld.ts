import { type Address, executableDepth, executableReach, type TickLiquidity, type TickList } from '@chainboard/core'
import type { PoolEvent } from '../store/poolEvents.ts'
import { emptyPoolState, type PoolStanding } from '../store/poolState.ts'
import { eventKey, type Swap } from '../store/swaps.ts'
import { emptyTokenState } from '../store/tokenState.ts'
import { foldState } from './foldEvents.ts'
import { byPlace } from './openWorld.ts'
import { splitIntoBlocks, sumTickChanges } from './storeWorld.ts'
import { emptyWorld, foldBlock, type Valuation, type World } from './world.ts'

// The index's own fold over some pools, for who has no store: what they were before, and their events.

export type ReplayEvent = Swap | PoolEvent
export type ReplayStanding = PoolStanding

export type ReplayPool = {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  readonly fee: number
  /** Undefined: not before the first event, or not known. */
  readonly firstSwapAtSeconds: number | undefined
  readonly tickSpacing: number
  /** Before the first event. */
  readonly standing: PoolStanding
  readonly ticks: TickList
}

/** `values`: US dollars x 10^18 of an event. */
export type Replay = { readonly world: World; readonly valueOf: (event: ReplayEvent) => bigint }

/** Folds the events of some pools as the index folds those of all. @param events all of these pools; in any order */
export function replayWorld(
  valuation: Valuation,
  { pools, decimals }: { readonly pools: readonly ReplayPool[]; readonly decimals: ReadonlyMap<Address, number> },
  events: readonly ReplayEvent[],
): Replay {
  const world = emptyWorld(valuation)
  for (const [address, known] of decimals)
    world.tokens.set(address, { address, symbol: '', name: '', decimals: known, totalSupplyRaw: 0n, ...emptyTokenState })
  for (const { standing, ticks, firstSwapAtSeconds, ...pool } of pools) {
    const times = { createdBlock: 0, createdAtSeconds: 0, firstSwapAtSeconds, lastSwapAtSeconds: firstSwapAtSeconds }
    const depth = executableDepth(standing, ticks)
    world.pools.set(pool.address, { ...emptyPoolState, ...standing, ...times, ...depth, reach: undefined, ...pool })
    world.ticks.set(pool.address, ticks)
  }
  const values = new Map<string, bigint>()
  for (const block of splitIntoBlocks(events.toSorted(byPlace)))
    for (const { event, usdE18 } of foldBlock(world, block)) values.set(eventKey(event), usdE18)
  for (const [address, pool] of world.pools) {
    const list = world.ticks.get(address)
    if (list) world.pools.set(address, { ...pool, reach: executableReach(pool, list) })
  }
  return { world, valueOf: (event) => values.get(eventKey(event)) ?? 0n }
}

/** A pool after events of which the first opened it or traded in it. */
export function standAfter(events: readonly ReplayEvent[]): PoolStanding {
  return events.reduce<PoolStanding>(foldState, emptyPoolState)
}

/** Ticks as they were before events. @param ticks after them */
export function takeBack(ticks: ReadonlyMap<number, TickLiquidity>, events: readonly ReplayEvent[]): Map<number, TickLiquidity> {
  const earlier = new Map(ticks)
  for (const { tick, gross, net } of sumTickChanges(events, -1n).values()) {
    const after = earlier.get(tick) ?? { gross: 0n, net: 0n }
    earlier.set(tick, { gross: after.gross + gross, net: after.net + net })
  }
  return earlier
}
