import { type Address, createTickList, type TickList, undoSwap } from '@chainboard/core'
import { foldState } from '../indexer/foldEvents.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import { emptyPoolState, type PoolStanding } from '../store/poolState.ts'
import type { Swap } from '../store/swaps.ts'
import type { PoolAtBlock, TicksWanted } from './readPools.ts'

type Event = Swap | PoolEvent
type Change = { readonly gross: bigint; readonly net: bigint }

/** What events did to one pool, summed up. */
type PoolSums = {
  /** What they moved into it, and took out of it. */
  moved0: bigint
  moved1: bigint
  readonly ticks: Map<number, Change>
  /** The first swap, with what was done to the ticks before it. */
  first: { readonly swap: Swap; readonly ticks: ReadonlyMap<number, Change> } | undefined
  /** Positions that were changed before the first swap: which of them were in force depends on the price then. */
  readonly positions: Position[]
  wasOpened: boolean
  lowest: number
  highest: number
}

type Position = { readonly tickLower: number; readonly tickUpper: number; readonly liquidity: bigint }

/**
 * Sums up what events did to pools, so that it can be taken back from what the pools are after them. Of each pool it keeps sums and one
 * swap, however many events there are.
 */
export type Undoing = {
  /** @param events in the order of the chain, none before those that were added earlier */
  add(events: readonly Event[]): void
  pools(): ReadonlySet<Address>
  /** What has to be known of the ticks of each pool so that it can be taken back. */
  ticksWanted(): ReadonlyMap<Address, TicksWanted>
  /** The pool before the first of the events. @param after the pool after the last of them */
  undo(after: PoolAtBlock): PoolAtBlock
}

/** Events may be added in any order. */
export function createUndoing(): Undoing {
  const pools = new Map<Address, PoolSums>()
  return {
    add: (events) => {
      for (const event of events) addTo(pools, event)
    },
    pools: () => new Set(pools.keys()),
    ticksWanted: () =>
      new Map([...pools].map(([pool, { lowest, highest, ticks }]) => [pool, { lowest, highest, others: new Set(ticks.keys()) }])),
    undo: (after) => {
      const sums = pools.get(after.address)
      return sums ? undoPool(after, sums) : after
    },
  }
}

function addTo(pools: Map<Address, PoolSums>, event: Event): void {
  const sums = pools.get(event.pool) ?? emptySums()
  pools.set(event.pool, sums)
  const { reserve0, reserve1 } = foldState(emptyPoolState, event)
  sums.moved0 += reserve0
  sums.moved1 += reserve1
  switch (event.kind) {
    case 'initialize':
      sums.wasOpened = true
      break
    case 'swap':
      sums.first ??= { swap: event, ticks: new Map(sums.ticks) }
      sums.lowest = Math.min(sums.lowest, event.tick)
      sums.highest = Math.max(sums.highest, event.tick)
      break
    case 'mint':
    case 'burn': {
      const liquidity = event.kind === 'mint' ? (event.amount ?? 0n) : -(event.amount ?? 0n)
      const { tickLower, tickUpper } = event
      addTick(sums.ticks, tickLower, { gross: liquidity, net: liquidity })
      addTick(sums.ticks, tickUpper, { gross: liquidity, net: -liquidity })
      if (!sums.first) sums.positions.push({ tickLower, tickUpper, liquidity })
    }
  }
}

function emptySums(): PoolSums {
  return {
    moved0: 0n,
    moved1: 0n,
    ticks: new Map(),
    first: undefined,
    positions: [],
    wasOpened: false,
    lowest: Number.POSITIVE_INFINITY,
    highest: Number.NEGATIVE_INFINITY,
  }
}

function addTick(ticks: Map<number, Change>, tick: number, { gross, net }: Change): void {
  const before = ticks.get(tick) ?? { gross: 0n, net: 0n }
  ticks.set(tick, { gross: before.gross + gross, net: before.net + net })
}

function undoPool(after: PoolAtBlock, sums: PoolSums): PoolAtBlock {
  const { first, moved0, moved1 } = sums
  const { address, token0, token1, fee, tickSpacing } = after
  const facts = { address, token0, token1, fee, tickSpacing }
  if (sums.wasOpened) return { ...facts, ...emptyPoolState, ticks: createTickList(), hasTraded: false }
  const ticks = withChanges(after.ticks, sums.ticks, -1n)
  const standing: Pick<PoolStanding, 'sqrtPriceX96' | 'tick' | 'liquidity'> = first
    ? undoSwap(first.swap, withChanges(ticks, first.ticks, 1n))
    : after
  const { sqrtPriceX96, tick, liquidity } = standing
  const isInForce = ({ tickLower, tickUpper }: Position) => tick !== undefined && tickLower <= tick && tick < tickUpper
  const added = sums.positions.filter(isInForce).reduce((sum, position) => sum + position.liquidity, 0n)
  return {
    ...facts,
    ...{ sqrtPriceX96, tick, liquidity: liquidity - added, ticks },
    reserve0: after.reserve0 - moved0,
    reserve1: after.reserve1 - moved1,
    // A pool that traded among these events may have done so for the first time.
    hasTraded: after.hasTraded && !first,
  }
}

function withChanges({ byTick }: TickList, changes: ReadonlyMap<number, Change>, sign: 1n | -1n): TickList {
  const ticks = new Map(byTick)
  for (const [tick, { gross, net }] of changes) addTick(ticks, tick, { gross: sign * gross, net: sign * net })
  return createTickList(ticks)
}
