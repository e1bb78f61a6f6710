import { type Address, daySeconds, hourSeconds, startOfHour } from '@chainboard/core'
import { listHourVolumes } from '../store/poolPeriods.ts'
import type { Db, Tx } from '../store/store.ts'
import { listTradedDollars, type TradedDollars } from '../store/swaps.ts'

/** What pools traded in the 24 hours before a moment, but for the running hour: the same until that ends. */
export type EndedVolumes = {
  /** US dollars x 10^18 of each pool in the whole hours. */
  readonly totals: ReadonlyMap<Address, bigint>
  /** What was traded in the hour that the window cuts. */
  readonly cut: readonly TradedDollars[]
}

/** The hours that have ended of the 24 before a moment, and the swaps of the hour that the moment's day begins in. */
export async function readEndedVolumes(db: Db | Tx, nowSeconds: number): Promise<EndedVolumes> {
  const cutHourEnd = startOfHour(nowSeconds - daySeconds) + hourSeconds
  return {
    totals: sumByPool(new Map(), await listHourVolumes(db, cutHourEnd, startOfHour(nowSeconds))),
    cut: await listTradedDollars(db, { fromSeconds: nowSeconds - daySeconds, toSeconds: cutHourEnd }),
  }
}

/**
 * US dollars x 10^18 that each pool traded in the 24 hours before `nowSeconds`, each swap at the prices of its moment: whole
 * hours from the hour rows, the one that the window cuts from its swaps.
 * @param ended absent: read, too. Of this moment, or of an earlier one in the same hour
 */
export async function readPoolVolumes(
  db: Db | Tx,
  nowSeconds: number,
  ended?: EndedVolumes,
): Promise<ReadonlyMap<Address, bigint>> {
  const { totals, cut } = ended ?? (await readEndedVolumes(db, nowSeconds))
  const running = await listHourVolumes(db, startOfHour(nowSeconds), nowSeconds + 1)
  const inside = cut.filter(({ atSeconds }) => atSeconds > nowSeconds - daySeconds)
  return sumByPool(new Map(totals), [...inside, ...running])
}

function sumByPool(totals: Map<Address, bigint>, traded: Iterable<{ readonly pool: Address; readonly usdE18: bigint }>) {
  for (const { pool, usdE18 } of traded) totals.set(pool, (totals.get(pool) ?? 0n) + usdE18)
  return totals
}
