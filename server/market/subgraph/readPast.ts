import { type Address, daySeconds, Failure, hourSeconds, startOfHour } from '@chainboard/core'
import { type HourRow, readHourRows } from './hourRow.ts'
import { readSelections, type SelectedRows, type Selection } from './readSelections.ts'
import { hoursBetween, lastHoursUntil, newestSwaps, poolsPerFilter, swapsBetween } from './selections.ts'
import type { SubgraphClient } from './subgraphClient.ts'
import { readSwapRows, type SwapRow } from './swapRow.ts'

/** 10,000 rows of each hundred pools. */
const pagesMax = 10

/** The swaps of a pool in one hour; undefined where there were too many to read. */
export type SwapsOf = (pool: Address) => readonly SwapRow[] | undefined

export type PastOfPools = {
  /** Of traded and priced pools, from the hour of a day before on. */
  readonly dayHours: readonly HourRow[]
  /** Of each priced pool, the last two until the hour of a day and of a week before, that one included. */
  readonly untilDayAgo: readonly HourRow[]
  readonly untilWeekAgo: readonly HourRow[]
  /** In the hour of a day and of a week before. */
  readonly dayAgoSwapsOf: SwapsOf
  readonly weekAgoSwapsOf: SwapsOf
  /** Of priced pools that were ever traded. */
  readonly lastSwapAtSeconds: ReadonlyMap<Address, number>
}

export type PastRequest = {
  readonly nowSeconds: number
  readonly atBlockNumber: number
  /** Whose volume is counted. */
  readonly traded: readonly Address[]
  /** Whose prices are wanted. */
  readonly priced: readonly Address[]
}

/**
 * Reads what prices and volumes of the last day and week hang on, in as few questions as there can be.
 * @throws Failure as the client does
 */
export async function readPast(client: SubgraphClient, request: PastRequest): Promise<PastOfPools> {
  const { nowSeconds, atBlockNumber, traded, priced } = request
  const options = { atBlockNumber, pagesMax }
  const dayAgoHour = startOfHour(nowSeconds - daySeconds)
  const weekAgoHour = startOfHour(nowSeconds - 7 * daySeconds)
  const [window = [], beforeDay = [], beforeWeek = [], newest = []] = await readGroups(client, options, [
    hoursBetween([...new Set([...traded, ...priced])], dayAgoHour, nowSeconds),
    priced.map((pool) => lastHoursUntil(pool, dayAgoHour, 2)),
    priced.map((pool) => lastHoursUntil(pool, weekAgoHour, 2)),
    priced.map((pool) => newestSwaps(pool, 1)),
  ])
  if (window.some(({ whole }) => !whole))
    throw new Failure('upstream-invalid', 'The subgraph returned more hours than there are', { retryable: true })
  const [dayHours, untilDayAgo, untilWeekAgo] = [window, beforeDay, beforeWeek].map((group) => readHourRows(rowsOf(group)))
  const [busyDayAgo, busyWeekAgo] = [listBusy(dayHours ?? [], dayAgoHour), listBusy(untilWeekAgo ?? [], weekAgoHour)]
  const [daySwaps = [], weekSwaps = []] = await readGroups(client, options, [
    swapsBetween(busyDayAgo, dayAgoHour, dayAgoHour + hourSeconds - 1),
    swapsBetween(busyWeekAgo, weekAgoHour, weekAgoHour + hourSeconds - 1),
  ])
  return {
    dayHours: dayHours ?? [],
    untilDayAgo: untilDayAgo ?? [],
    untilWeekAgo: untilWeekAgo ?? [],
    dayAgoSwapsOf: toSwapsOf(busyDayAgo, daySwaps),
    weekAgoSwapsOf: toSwapsOf(busyWeekAgo, weekSwaps),
    lastSwapAtSeconds: new Map(readSwapRows(rowsOf(newest)).map(({ pool, timestampSeconds }) => [pool, timestampSeconds])),
  }
}

/** Reads several groups of selections as one, so that they share questions. */
async function readGroups(
  client: SubgraphClient,
  options: { readonly atBlockNumber: number; readonly pagesMax: number },
  groups: readonly (readonly Selection[])[],
): Promise<SelectedRows[][]> {
  const selected = await readSelections(client, groups.flat(), options)
  let taken = 0
  return groups.map(({ length }) => {
    taken += length
    return selected.slice(taken - length, taken)
  })
}

function rowsOf(selected: readonly SelectedRows[]): unknown[] {
  return selected.flatMap(({ rows }) => rows)
}

/** Pools that traded in an hour. */
function listBusy(hours: readonly HourRow[], hour: number): Address[] {
  const busy = hours.filter(({ startSeconds, swapCount }) => startSeconds === hour && swapCount > 0)
  return [...new Set(busy.map(({ pool }) => pool))]
}

/** @param selected of `pools` in slices, as `swapsBetween` makes them */
function toSwapsOf(pools: readonly Address[], selected: readonly SelectedRows[]): SwapsOf {
  const swapsOf = Map.groupBy(readSwapRows(rowsOf(selected)), ({ pool }) => pool)
  const tooMany = new Set(pools.filter((_, i) => !selected[Math.floor(i / poolsPerFilter)]?.whole))
  return (pool) => (tooMany.has(pool) ? undefined : (swapsOf.get(pool) ?? []))
}
