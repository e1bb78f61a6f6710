import { tickMax, tickMin } from './tick.ts'

/** Spacings in one word of a pool's tick bitmap: a swap takes each word as a step of its own. */
const wordSize = 256

export type TickLiquidity = { readonly gross: bigint; readonly net: bigint }

/** The ticks of one pool that bound a position. It changes in place. */
export type TickList = {
  /** Ascending, each one once. */
  readonly order: number[]
  readonly byTick: Map<number, TickLiquidity>
}

/** @param ticks each one once, in any order; those that bound no liquidity are left out */
export function createTickList(ticks: Iterable<readonly [number, TickLiquidity]> = []): TickList {
  const byTick = new Map([...ticks].filter(([, { gross }]) => gross !== 0n))
  return { order: [...byTick.keys()].sort((a, b) => a - b), byTick }
}

/** Adds liquidity to a tick; less than nothing takes it away. A tick that bounds nothing any more is gone. */
export function changeTick(list: TickList, tick: number, change: TickLiquidity): void {
  const before = list.byTick.get(tick)
  const gross = (before?.gross ?? 0n) + change.gross
  if (gross === 0n) {
    if (!before) return
    list.byTick.delete(tick)
    list.order.splice(placeOf(list.order, tick), 1)
    return
  }
  if (!before) list.order.splice(placeOf(list.order, tick), 0, tick)
  list.byTick.set(tick, { gross, net: (before?.net ?? 0n) + change.net })
}

/** Adds a position's liquidity to its two ticks; a negative amount takes it away. */
export function changePosition(list: TickList, range: { tickLower: number; tickUpper: number }, liquidity: bigint): void {
  changeTick(list, range.tickLower, { gross: liquidity, net: liquidity })
  changeTick(list, range.tickUpper, { gross: liquidity, net: -liquidity })
}

/**
 * Where the next step of a swap ends at most: the next tick that bounds a position, or the end of the bitmap's word
 * (`nextInitializedTickWithinOneWord`).
 */
export function nextTickInWord({ order }: TickList, tick: number, { spacing, down }: { spacing: number; down: boolean }): number {
  const compressed = Math.floor(tick / spacing)
  if (down) {
    const wordEnd = Math.floor(compressed / wordSize) * wordSize * spacing
    const last = order[placeOf(order, compressed * spacing + 1) - 1]
    return Math.max(tickMin, last !== undefined && last >= wordEnd ? last : wordEnd)
  }
  const wordEnd = (Math.floor((compressed + 1) / wordSize) * wordSize + wordSize - 1) * spacing
  const first = order[placeOf(order, (compressed + 1) * spacing)]
  return Math.min(tickMax, first !== undefined && first <= wordEnd ? first : wordEnd)
}

/** Index of the first one that is not below the tick. */
export function placeOf(order: readonly number[], tick: number): number {
  let [low, high] = [0, order.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((order[middle] ?? tick) < tick) low = middle + 1
    else high = middle
  }
  return low
}
