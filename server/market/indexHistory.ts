import type { Address } from '@chainboard/core'
import type { IndexReader } from '../store/indexSwitch.ts'
import { listCandleHours, type PoolCandle } from '../store/poolPeriods.ts'
import type { Db, Tx } from '../store/store.ts'
import { listNewestSwaps } from '../store/swaps.ts'
import type { PoolHistory } from './source.ts'

/** The past of pools from our own index. */
export function createIndexHistory(index: IndexReader): PoolHistory {
  return {
    listHoursCovering: (pools, hours) => index.use(({ store }) => listHoursCovering(store.read, pools, hours)),
    listNewestSwaps: (pool, limit) => index.use(({ store }) => listNewestSwaps(store.read, pool, limit)),
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
