import type { Address } from '@chainboard/core'
import { listCandleHours, type PoolCandle } from '../store/poolPeriods.ts'
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
async function listHoursCovering(
  db: Db | Tx,
  pools: readonly Address[],
  hours: readonly number[],
): Promise<ReadonlyMap<Address, PoolCandle[]>> {
  const fromSeconds = hours[0]
  const last = hours.at(-1)
  const byPool = new Map<Address, PoolCandle[]>(pools.map((pool) => [pool, []]))
  if (fromSeconds === undefined || last === undefined) return byPool
  for (const pool of byPool.keys()) byPool.set(pool, await listCandleHours(db, { pool, fromSeconds, toSeconds: last + 1 }))
  return byPool
}
