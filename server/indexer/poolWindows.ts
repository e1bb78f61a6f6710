import { type Address, type PoolMoment, type PoolSpan, type PriceWindow, type WeighedWindow, weighWindow } from '@chainboard/core'

/** How a pool's price and depth changed lately: the spans before the moment in force, which began at `changedAtSeconds`. */
export type PoolWindow = { readonly changedAtSeconds: number; readonly spans: readonly PoolSpan[] }

type Change = {
  /** `sqrtPriceX96` is 0 before the pool was opened. */
  readonly before: PoolMoment
  readonly after: PoolMoment
  readonly atSeconds: number
  readonly windowSeconds: number
}

/** Notes what a block did to a pool. A span is as long as the window at most; one that lasted no time is none. */
export function noteMoment(windows: Map<Address, PoolWindow>, pool: Address, change: Change): void {
  const { before, after, atSeconds, windowSeconds } = change
  const { sqrtPriceX96, depth0, depth1 } = before
  if (sqrtPriceX96 === after.sqrtPriceX96 && depth0 === after.depth0 && depth1 === after.depth1) return
  const window = windows.get(pool)
  const start = atSeconds - windowSeconds
  const fromSeconds = Math.max(start, window?.changedAtSeconds ?? start)
  const spans = (window?.spans ?? []).filter(({ untilSeconds }) => untilSeconds > start)
  if (fromSeconds < atSeconds) spans.push({ sqrtPriceX96, depth0, depth1, fromSeconds, untilSeconds: atSeconds })
  windows.set(pool, { changedAtSeconds: atSeconds, spans })
}

/** The medians of a pool's window. */
export function weighPool(
  windows: ReadonlyMap<Address, PoolWindow>,
  pool: PoolMoment & { readonly address: Address },
  at: PriceWindow,
): WeighedWindow {
  return weighWindow(windows.get(pool.address)?.spans ?? [], pool, at)
}
