import type { Selectable } from 'kysely'
import { createInsert } from './rows.ts'
import type { ExchangePeriodTable } from './schema.ts'
import type { Db, Tx } from './store.ts'

/** One hour or UTC day of all pools together, in which something happened. US dollars x 10^18. */
export type ExchangePeriod = {
  readonly startSeconds: number
  /** What all pools held at its end, each at the prices of its own latest event. */
  readonly tvlUsdE18: bigint
  /** Price of the wrapped native coin at its end; 0 when it had none. */
  readonly nativeUsdE18: bigint
  readonly volumeUsdE18: bigint
  readonly feesUsdE18: bigint
  readonly txCount: number
}

type Table = 'exchange_hours' | 'exchange_days'

const valueColumns = ['tvl_usd', 'native_usd', 'volume_usd', 'fees_usd', 'tx_count'] as const
const toUpsert = (table: Table) => createInsert({ table, key: ['start'], replace: valueColumns })
const upserts = { exchange_hours: toUpsert('exchange_hours'), exchange_days: toUpsert('exchange_days') }

/** Writes new periods, and replaces those with the same start. */
export async function upsertExchangePeriods(tx: Tx, table: Table, periods: readonly ExchangePeriod[]): Promise<void> {
  await upserts[table](tx, periods.map(toExchangePeriodRow))
}

/** Hours that start in `[fromSeconds, toSeconds)`, by time. */
export async function listExchangeHoursIn(
  db: Db | Tx,
  { fromSeconds, toSeconds }: { fromSeconds: number; toSeconds: number },
): Promise<ExchangePeriod[]> {
  const rows = await db
    .selectFrom('exchange_hours')
    .selectAll()
    .where('start', '>=', fromSeconds)
    .where('start', '<', toSeconds)
    .orderBy('start')
    .execute()
  return rows.map(fromRow)
}

/** After a rollback: deletes the periods that start at a moment or later. */
export async function deleteExchangePeriodsFrom(tx: Tx, table: Table, fromSeconds: number): Promise<void> {
  await tx.deleteFrom(table).where('start', '>=', fromSeconds).execute()
}

function fromRow(row: Selectable<ExchangePeriodTable>): ExchangePeriod {
  return {
    startSeconds: row.start,
    tvlUsdE18: BigInt(row.tvl_usd),
    nativeUsdE18: BigInt(row.native_usd),
    volumeUsdE18: BigInt(row.volume_usd),
    feesUsdE18: BigInt(row.fees_usd),
    txCount: row.tx_count,
  }
}

/** The table's row, as it is written; what is folded in memory alone is read in this shape, too. */
export function toExchangePeriodRow(period: ExchangePeriod): Selectable<ExchangePeriodTable> {
  return {
    start: period.startSeconds,
    tvl_usd: period.tvlUsdE18.toString(),
    native_usd: period.nativeUsdE18.toString(),
    volume_usd: period.volumeUsdE18.toString(),
    fees_usd: period.feesUsdE18.toString(),
    tx_count: period.txCount,
  }
}
