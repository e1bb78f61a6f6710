import { type Address, carryForward, type Sample } from '@chainboard/core'
import { findPeriodBefore, listPeriods, type PoolPeriod } from '../store/poolPeriods.ts'
import type { Db, Tx } from '../store/store.ts'
import { type Route, usdAlong } from './route.ts'

export const hourSeconds = 3_600

export function startOfHour(seconds: number): number {
  return seconds - (seconds % hourSeconds)
}

/** Starts of the last `count` hours, the one of `nowSeconds` included, ascending. */
export function lastHours(nowSeconds: number, count: number): number[] {
  const last = startOfHour(nowSeconds)
  return Array.from({ length: count }, (_, i) => last - (count - 1 - i) * hourSeconds)
}

/** Hours of each pool that `hours` needs: those in its span, and the last one before it. */
export async function listHoursCovering(
  db: Db | Tx,
  pools: readonly Address[],
  hours: readonly number[],
): Promise<ReadonlyMap<Address, PoolPeriod[]>> {
  const fromSeconds = hours[0]
  const last = hours.at(-1)
  const byPool = new Map<Address, PoolPeriod[]>(pools.map((pool) => [pool, []]))
  if (fromSeconds === undefined || last === undefined) return byPool
  for (const pool of byPool.keys()) {
    const before = await findPeriodBefore(db, 'pool_hours', { pool, beforeSeconds: fromSeconds })
    if (before) byPool.get(pool)?.push(before)
  }
  for (const hour of await listPeriods(db, 'pool_hours', { pools: [...byPool.keys()], fromSeconds, toSeconds: last + 1 })) {
    byPool.get(hour.pool)?.push(hour)
  }
  return byPool
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
  poolHours: ReadonlyMap<Address, readonly PoolPeriod[]>,
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
