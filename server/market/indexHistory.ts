import type { Address } from '@chainboard/core'
import { findPeriodBefore, listPeriods, type PoolPeriod } from '../store/poolPeriods.ts'
import type { Db, Store, Tx } from '../store/store.ts'
import { listNewestSwaps } from '../store/swaps.ts'
import type { PoolHistory } from './source.ts'

/** The past of pools from our own index. */
export function createIndexHistory({ read }: Store): PoolHistory {
  return {
    listHoursCovering: (pools, hours) => listHoursCovering(read, pools, hours),
    listNewestSwaps: (pool, limit) => listNewestSwaps(read, pool, limit),
  }
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
