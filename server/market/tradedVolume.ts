import { type Address, daySeconds, hourSeconds, startOfHour } from '@chainboard/core'
import { listHourVolumes } from '../store/poolPeriods.ts'
import type { Db, Tx } from '../store/store.ts'
import { listTradedDollars } from '../store/swaps.ts'

/**
 * US dollars x 10^18 that each pool traded in the 24 hours before `nowSeconds`, each swap at the prices of its moment: whole
 * hours from the hour rows, the one that the window cuts from its swaps.
 */
export async function readPoolVolumes(db: Db | Tx, nowSeconds: number): Promise<ReadonlyMap<Address, bigint>> {
  const cutHourEnd = startOfHour(nowSeconds - daySeconds) + hourSeconds
  const traded = [
    ...(await listHourVolumes(db, cutHourEnd, nowSeconds + 1)),
    ...(await listTradedDollars(db, { fromSeconds: nowSeconds - daySeconds, toSeconds: cutHourEnd })),
  ]
  const totals = new Map<Address, bigint>()
  for (const { pool, usdE18 } of traded) totals.set(pool, (totals.get(pool) ?? 0n) + usdE18)
  return totals
}
