import { type Address, carryForward, hourSeconds, type Route, type Sample, startOfHour, usdAlong } from '@chainboard/core'
import type { PoolHour } from './source.ts'

/** Starts of the last `count` hours, the one of `nowSeconds` included, ascending. */
export function lastHours(nowSeconds: number, count: number): number[] {
  const last = startOfHour(nowSeconds)
  return Array.from({ length: count }, (_, i) => last - (count - 1 - i) * hourSeconds)
}

/**
 * US dollars x 10^18 per whole token at the end of each hour. An hour without a trade has the price of the last one before;
 * hours before the route's pools existed are left out. Pure.
 * @param hours starts, ascending
 * @param poolHours of every pool on the route, ascending
 */
export function usdByHour(
  route: Route,
  hours: readonly number[],
  poolHours: ReadonlyMap<Address, readonly PoolHour[]>,
): Sample<bigint>[] {
  const closes = new Map(
    route.map(({ pool }) => {
      const samples = (poolHours.get(pool) ?? []).map(({ startSeconds, sqrtPriceX96 }) => ({
        atSeconds: startSeconds,
        value: sqrtPriceX96,
      }))
      return [pool, new Map(carryForward(samples, hours).map(({ atSeconds, value }) => [atSeconds, value]))]
    }),
  )
  return hours.flatMap((atSeconds) => {
    const value = usdAlong(route, (pool) => closes.get(pool)?.get(atSeconds))
    return value === undefined ? [] : [{ atSeconds, value }]
  })
}
