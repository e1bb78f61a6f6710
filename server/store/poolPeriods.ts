import type { Address } from '@chainboard/core'
import type { Selectable } from 'kysely'
import {
  fromPoolBalanceRow,
  fromPoolEndRow,
  fromPoolSumsRow,
  type PoolBalance,
  type PoolEnd,
  type PoolStanding,
  type PoolState,
  type PoolSums,
  poolBalanceColumns,
  poolEndColumns,
  poolSumColumns,
  toPoolBalanceRow,
  toPoolEndRow,
  toPoolSumsRow,
} from './poolState.ts'
import { createInsert, inSlices, noEnd } from './rows.ts'
import type { PoolDayTable, PoolHourTable } from './schema.ts'
import type { Db, Tx } from './store.ts'

/**
 * One hour or UTC day of a pool in which something happened. The state is the one at its end, so `sqrtPriceX96` is the close.
 * Open, high and low are sqrtPriceX96 too; volumes are absolute amounts in smallest units.
 */
export type PoolPeriod = PoolState & PoolShare

/** What happened in a period of a pool, without where it left the pool. */
export type PoolShare = {
  readonly pool: Address
  readonly startSeconds: number
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly volume0: bigint
  readonly volume1: bigint
  readonly volumeUsdE18: bigint
  readonly feesUsdE18: bigint
  readonly swapCount: number
  readonly eventCount: number
}

/** The two tables of this shape. */
export type PeriodTable = 'pool_hours' | 'pool_days'

const ownColumns = ['open', 'high', 'low', 'volume0', 'volume1', 'volume_usd', 'fees_usd', 'swap_count', 'event_count'] as const
const bothColumns = [...poolEndColumns, ...ownColumns] as const
const key = ['pool', 'start'] as const
const upsertHours = createInsert({ table: 'pool_hours', key, replace: [...bothColumns, ...poolBalanceColumns] })
const upsertDays = createInsert({ table: 'pool_days', key, replace: [...bothColumns, ...poolSumColumns] })

/** Writes new periods, and replaces those of the same pool and start. */
export async function upsertPeriods(tx: Tx, table: PeriodTable, periods: readonly PoolPeriod[]): Promise<void> {
  if (table === 'pool_hours') await upsertHours(tx, periods.map(toPoolHourRow))
  else await upsertDays(tx, periods.map(toPoolDayRow))
}

const candleColumns = [
  ...(['pool', 'start', 'sqrt_price_x96', 'open', 'high', 'low'] as const),
  ...(['volume0', 'volume1', 'volume_usd', 'swap_count'] as const),
] as const

/** What charts need of a period. */
export type PoolCandle = Pick<
  PoolPeriod,
  'pool' | 'startSeconds' | 'sqrtPriceX96' | 'open' | 'high' | 'low' | 'volume0' | 'volume1' | 'volumeUsdE18' | 'swapCount'
>

/**
 * Hours of a pool that start in `[fromSeconds, toSeconds)`, by time, and the last one before them. Only what charts need: a month of
 * whole rows took many times as long, nearly all of it for figures that nobody looks at.
 */
export async function listCandleHours(
  db: Db | Tx,
  { pool, fromSeconds, toSeconds }: { pool: Address; fromSeconds: number; toSeconds: number },
): Promise<PoolCandle[]> {
  const rows = await db
    .selectFrom('pool_hours')
    .select(candleColumns)
    .where('pool', '=', pool)
    // One statement: on PostgreSQL each one more is a way there and back.
    .where('start', '>=', (e) =>
      e.fn.coalesce(
        e
          .selectFrom('pool_hours as earlier')
          .select((s) => s.fn.max('earlier.start').as('start'))
          .where('earlier.pool', '=', pool)
          .where('earlier.start', '<', fromSeconds),
        e.val(fromSeconds),
      ),
    )
    .where('start', '<', toSeconds)
    .orderBy('start')
    .execute()
  return rows.map((row) => ({
    pool: row.pool,
    startSeconds: row.start,
    sqrtPriceX96: BigInt(row.sqrt_price_x96),
    open: BigInt(row.open),
    high: BigInt(row.high),
    low: BigInt(row.low),
    volume0: BigInt(row.volume0),
    volume1: BigInt(row.volume1),
    volumeUsdE18: BigInt(row.volume_usd),
    swapCount: row.swap_count,
  }))
}

/**
 * Hours of every pool that start in `[fromSeconds, toSeconds)`, by time. Without the state: a day of many pools took three times as
 * long with it, and of each pool the last hour alone has one that counts.
 */
export async function listHourShares(
  db: Db | Tx,
  { fromSeconds, toSeconds }: { fromSeconds: number; toSeconds: number },
): Promise<PoolShare[]> {
  const rows = await db
    .selectFrom('pool_hours')
    // With the close: what equals it is stored as that.
    .select(['pool', 'start', 'sqrt_price_x96', ...ownColumns])
    .where('start', '>=', fromSeconds)
    .where('start', '<', toSeconds)
    .orderBy('start')
    .execute()
  return rows.map(toShare)
}

/** A pool's hour as it is stored. What the pool had traded by its end follows from its days, and the hours since. */
export type PoolHour = PoolEnd & PoolBalance & PoolShare

/** The last hour of each pool that starts before `beforeSeconds`: one look into the index for each pool, however long the past is. */
export async function listLastHoursBefore(db: Db | Tx, beforeSeconds: number): Promise<PoolHour[]> {
  const rows = await selectLastBefore(db, beforeSeconds).selectAll('last').execute()
  return rows.map((row) => ({ ...fromPoolEndRow(row), ...fromPoolBalanceRow(row), ...toShare(row) }))
}

/** Where each pool stood after its last hour that starts before `beforeSeconds`. */
export async function listStandingsBefore(db: Db | Tx, beforeSeconds: number): Promise<ReadonlyMap<Address, PoolStanding>> {
  const rows = await selectLastBefore(db, beforeSeconds)
    .select(['last.pool', 'last.sqrt_price_x96', 'last.tick', 'last.liquidity', 'last.reserve0', 'last.reserve1'])
    .execute()
  const toStanding = (row: (typeof rows)[number]): PoolStanding => ({
    sqrtPriceX96: BigInt(row.sqrt_price_x96),
    tick: row.tick ?? undefined,
    liquidity: BigInt(row.liquidity),
    reserve0: BigInt(row.reserve0),
    reserve1: BigInt(row.reserve1),
  })
  return new Map(rows.map((row) => [row.pool, toStanding(row)]))
}

function selectLastBefore(db: Db | Tx, beforeSeconds: number) {
  return (
    db
      .selectFrom('pools')
      // Crossed: SQLite then begins with the few pools. Joined, it began with all hours.
      .crossJoin('pool_hours as last')
      .whereRef('last.pool', '=', 'pools.address')
      .where('last.start', '=', (e) =>
        e
          .selectFrom('pool_hours as earlier')
          .select((s) => s.fn.max('earlier.start').as('start'))
          .whereRef('earlier.pool', '=', 'pools.address')
          .where('earlier.start', '<', beforeSeconds),
      )
  )
}

/** What each pool had traded by the end of its last day that starts before `beforeSeconds`. */
export async function listSumsBefore(db: Db | Tx, beforeSeconds: number): Promise<ReadonlyMap<Address, PoolSums>> {
  const rows = await db
    .selectFrom('pools')
    .crossJoin('pool_days as last')
    .select(['last.pool', 'last.total_volume0', 'last.total_volume1', 'last.total_volume_usd', 'last.total_fees_usd'])
    .whereRef('last.pool', '=', 'pools.address')
    .where('last.start', '=', (e) =>
      e
        .selectFrom('pool_days as earlier')
        .select((s) => s.fn.max('earlier.start').as('start'))
        .whereRef('earlier.pool', '=', 'pools.address')
        .where('earlier.start', '<', beforeSeconds),
    )
    .execute()
  return new Map(rows.map((row) => [row.pool, fromPoolSumsRow(row)]))
}

/** US dollars x 10^18 that every pool traded in the hours that start in `[fromSeconds, toSeconds)`. */
export async function listHourVolumes(
  db: Db | Tx,
  fromSeconds: number,
  toSeconds: number,
): Promise<{ pool: Address; usdE18: bigint }[]> {
  const rows = await db
    .selectFrom('pool_hours')
    .select(['pool', 'volume_usd'])
    .where('start', '>=', fromSeconds)
    .where('start', '<', toSeconds)
    .where('swap_count', '>', 0)
    .execute()
  return rows.map((row) => ({ pool: row.pool, usdE18: BigInt(row.volume_usd) }))
}

/** After a rollback: deletes the periods of all pools that start at a moment or later. */
export async function deletePeriodsFrom(tx: Tx, table: PeriodTable, fromSeconds: number): Promise<void> {
  await tx.deleteFrom(table).where('start', '>=', fromSeconds).where('start', '<', noEnd).execute()
}

/** Deletes the period of these pools that starts then. */
export async function deletePeriodsOf(
  tx: Tx,
  table: PeriodTable,
  { startSeconds, pools }: { startSeconds: number; pools: readonly Address[] },
): Promise<void> {
  await inSlices(pools, (slice) => tx.deleteFrom(table).where('pool', 'in', slice).where('start', '=', startSeconds).execute())
}

function toShare(row: Pick<Selectable<PoolHourTable>, 'pool' | 'start' | (typeof ownColumns)[number]>): PoolShare {
  return {
    pool: row.pool,
    startSeconds: row.start,
    open: BigInt(row.open),
    high: BigInt(row.high),
    low: BigInt(row.low),
    volume0: BigInt(row.volume0),
    volume1: BigInt(row.volume1),
    volumeUsdE18: BigInt(row.volume_usd),
    feesUsdE18: BigInt(row.fees_usd),
    swapCount: row.swap_count,
    eventCount: row.event_count,
  }
}

/** The table's row, as it is written; what is folded in memory alone is read in this shape, too. */
export function toPoolHourRow(period: PoolHour): Selectable<PoolHourTable> {
  return { ...toBothRow(period), ...toPoolBalanceRow(period) }
}

/** As `toPoolHourRow`. */
export function toPoolDayRow(period: PoolPeriod): Selectable<PoolDayTable> {
  return { ...toBothRow(period), ...toPoolSumsRow(period) }
}

/** What rows of hours and days have. */
function toBothRow(period: PoolEnd & PoolShare) {
  return {
    ...toPoolEndRow(period),
    pool: period.pool,
    start: period.startSeconds,
    open: period.open.toString(),
    high: period.high.toString(),
    low: period.low.toString(),
    volume0: period.volume0.toString(),
    volume1: period.volume1.toString(),
    volume_usd: period.volumeUsdE18.toString(),
    fees_usd: period.feesUsdE18.toString(),
    swap_count: period.swapCount,
    event_count: period.eventCount,
  }
}
