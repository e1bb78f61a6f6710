import type { Address } from '@chainboard/core'
import { hourFields } from './hourRow.ts'
import { type Selection, toSlices } from './readSelections.ts'
import { swapFields } from './swapRow.ts'

/** Pools that one filter names, so that no query gets too long. */
export const poolsPerFilter = 100

/** Hours of pools that start in `[fromSeconds, toSeconds]`. */
export function hoursBetween(pools: readonly Address[], fromSeconds: number, toSeconds: number): Selection[] {
  return toSlices(pools, poolsPerFilter).map((pool_in) => ({
    entity: 'poolHourDatas',
    where: { pool_in, periodStartUnix_gte: fromSeconds, periodStartUnix_lte: toSeconds },
    fields: hourFields,
  }))
}

/** The last `count` hours of one pool that start until `lastStartSeconds`, however long before. */
export function lastHoursUntil(pool: Address, lastStartSeconds: number, count: number): Selection {
  return {
    entity: 'poolHourDatas',
    where: { pool, periodStartUnix_lte: lastStartSeconds },
    fields: hourFields,
    newest: { by: 'periodStartUnix', count },
  }
}

/** Swaps of pools in `[fromSeconds, toSeconds]`. */
export function swapsBetween(pools: readonly Address[], fromSeconds: number, toSeconds: number): Selection[] {
  return toSlices(pools, poolsPerFilter).map((pool_in) => ({
    entity: 'swaps',
    where: { pool_in, timestamp_gte: String(fromSeconds), timestamp_lte: String(toSeconds) },
    fields: swapFields,
  }))
}

/** The newest swaps of one pool. */
export function newestSwaps(pool: Address, count: number): Selection {
  return { entity: 'swaps', where: { pool }, fields: swapFields, newest: { by: 'timestamp', count } }
}
