import type { Address } from '@chainboard/core'
import type { NotNull, Selectable } from 'kysely'
import { createInsert, inSlices, noEnd } from './rows.ts'
import type { TokenDayTable, TokenHourTable } from './schema.ts'
import type { Db, Tx } from './store.ts'
import {
  fromTokenEndRow,
  fromTokenSumsRow,
  type TokenEnd,
  type TokenState,
  type TokenSums,
  tokenEndColumns,
  tokenSumColumns,
  toTokenEndRow,
  toTokenSumsRow,
} from './tokenState.ts'

/**
 * One hour or UTC day of a token in which an event of one of its pools fell. The state is the one at its end, so
 * `priceUsdE18` is the close. Open, high, low and volumes in dollars x 10^18; `volume` in smallest units.
 */
export type TokenPeriod = TokenState & TokenShare

/** What happened in a period of a token, without where it left the token. */
export type TokenShare = {
  readonly token: Address
  readonly startSeconds: number
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly volume: bigint
  readonly volumeUsdE18: bigint
  readonly feesUsdE18: bigint
  /** The least confidence in the price at the ends of its blocks, in hundredths; undefined where it had none, and in rows of before. */
  readonly trust: number | undefined
}

type Table = 'token_hours' | 'token_days'

const shareValues = ['open', 'high', 'low', 'volume', 'volume_usd', 'fees_usd', 'trust'] as const
const bothColumns = [...tokenEndColumns, ...shareValues] as const
const key = ['token', 'start'] as const
const upsertHours = createInsert({ table: 'token_hours', key, replace: [...bothColumns, 'tx_count'] })
const upsertDays = createInsert({ table: 'token_days', key, replace: [...bothColumns, ...tokenSumColumns] })

/** Writes new periods, and replaces those of the same token and start. */
export async function upsertTokenPeriods(tx: Tx, table: Table, periods: readonly TokenPeriod[]): Promise<void> {
  if (table === 'token_hours') await upsertHours(tx, periods.map(toTokenHourRow))
  else await upsertDays(tx, periods.map(toTokenDayRow))
}

/** A token's hour as it is stored. What had been traded of it by the end follows from its days, and the hours since. */
export type TokenHour = TokenEnd & TokenShare & Pick<TokenState, 'txCount'>

const shareColumns = ['token', 'start', ...shareValues] as const

/** Hours of every token that start in `[fromSeconds, toSeconds)`, by time. */
export async function listTokenHourShares(
  db: Db | Tx,
  { fromSeconds, toSeconds }: { fromSeconds: number; toSeconds: number },
): Promise<TokenShare[]> {
  const rows = await db
    .selectFrom('token_hours')
    // With the close: what equals it is stored as that.
    .select([...shareColumns, 'price_usd'])
    .where('start', '>=', fromSeconds)
    .where('start', '<', toSeconds)
    .orderBy('start')
    .execute()
  return rows.map(toShare)
}

/** Between which prices a token was in a period, and how far it was trusted at the least. */
export type TokenRange = Pick<TokenPeriod, 'token' | 'low' | 'high' | 'trust'>

/** Those of the hours of every token that start in `[fromSeconds, toSeconds)`, by time. */
export async function listTokenRangesIn(
  db: Db | Tx,
  { fromSeconds, toSeconds }: { fromSeconds: number; toSeconds: number },
): Promise<TokenRange[]> {
  const rows = await db
    .selectFrom('token_hours')
    // With the close: what equals it is stored as that.
    .select(['token', 'low', 'high', 'trust', 'price_usd'])
    .where('start', '>=', fromSeconds)
    .where('start', '<', toSeconds)
    .orderBy('start')
    .execute()
  return rows.map(({ token, low, high, trust }) => ({
    token,
    low: BigInt(low),
    high: BigInt(high),
    trust: trust ?? undefined,
  }))
}

/** The last hour of each token that starts before `beforeSeconds`, as `listLastHoursBefore` reads those of pools. */
export async function listLastTokenHoursBefore(db: Db | Tx, beforeSeconds: number): Promise<TokenHour[]> {
  const rows = await db
    .selectFrom('tokens')
    .crossJoin('token_hours as last')
    .selectAll('last')
    .whereRef('last.token', '=', 'tokens.address')
    .where('last.start', '=', (e) =>
      e
        .selectFrom('token_hours as earlier')
        .select((s) => s.fn.max('earlier.start').as('start'))
        .whereRef('earlier.token', '=', 'tokens.address')
        .where('earlier.start', '<', beforeSeconds),
    )
    .execute()
  return rows.map(fromRow)
}

/** What had been traded of each token by the end of its last day that starts before `beforeSeconds`. */
export async function listTokenSumsBefore(db: Db | Tx, beforeSeconds: number): Promise<ReadonlyMap<Address, TokenSums>> {
  const rows = await db
    .selectFrom('tokens')
    .crossJoin('token_days as last')
    .select(['last.token', 'last.total_volume', 'last.total_volume_usd', 'last.total_fees_usd'])
    .whereRef('last.token', '=', 'tokens.address')
    .where('last.start', '=', (e) =>
      e
        .selectFrom('token_days as earlier')
        .select((s) => s.fn.max('earlier.start').as('start'))
        .whereRef('earlier.token', '=', 'tokens.address')
        .where('earlier.start', '<', beforeSeconds),
    )
    .execute()
  return new Map(rows.map((row) => [row.token, fromTokenSumsRow(row)]))
}

/** The least confidence of an hour of a token, in hundredths. */
export type HourTrust = { readonly token: Address; readonly startSeconds: number; readonly trust: number }

/** Of hours in which one is known: those that start in `[fromSeconds, toSeconds)`, and the last one before of each token. By time. */
export async function listHourTrusts(
  db: Db | Tx,
  { fromSeconds, toSeconds }: { fromSeconds: number; toSeconds: number },
): Promise<HourTrust[]> {
  const earlier = await db
    .selectFrom('tokens')
    .crossJoin('token_hours')
    .select(['token_hours.token', 'token_hours.start', 'token_hours.trust'])
    .whereRef('token_hours.token', '=', 'tokens.address')
    .where('token_hours.start', '=', (e) =>
      e
        .selectFrom('token_hours as earlier')
        .select((s) => s.fn.max('earlier.start').as('start'))
        .whereRef('earlier.token', '=', 'tokens.address')
        .where('earlier.start', '<', fromSeconds)
        .where('earlier.trust', 'is not', null),
    )
    .$narrowType<{ trust: NotNull }>()
    .execute()
  const within = await db
    .selectFrom('token_hours')
    .select(['token', 'start', 'trust'])
    .where('start', '>=', fromSeconds)
    .where('start', '<', toSeconds)
    .where('trust', 'is not', null)
    .$narrowType<{ trust: NotNull }>()
    .orderBy('start')
    .execute()
  return [...earlier, ...within].map((row) => ({
    token: row.token,
    startSeconds: row.start,
    trust: row.trust,
  }))
}

/** After a rollback: deletes the periods of all tokens that start at a moment or later. */
export async function deleteTokenPeriodsFrom(tx: Tx, table: Table, fromSeconds: number): Promise<void> {
  await tx.deleteFrom(table).where('start', '>=', fromSeconds).where('start', '<', noEnd).execute()
}

/** Deletes the period of these tokens that starts then. */
export async function deleteTokenPeriodsOf(
  tx: Tx,
  table: Table,
  { startSeconds, tokens }: { startSeconds: number; tokens: readonly Address[] },
): Promise<void> {
  await inSlices(tokens, (slice) => tx.deleteFrom(table).where('token', 'in', slice).where('start', '=', startSeconds).execute())
}

function fromRow(row: Selectable<TokenHourTable>): TokenHour {
  return { ...fromTokenEndRow(row), txCount: row.tx_count, ...toShare(row) }
}

function toShare(row: Pick<Selectable<TokenHourTable>, (typeof shareColumns)[number]>): TokenShare {
  return {
    token: row.token,
    startSeconds: row.start,
    open: BigInt(row.open),
    high: BigInt(row.high),
    low: BigInt(row.low),
    volume: BigInt(row.volume),
    volumeUsdE18: BigInt(row.volume_usd),
    feesUsdE18: BigInt(row.fees_usd),
    trust: row.trust ?? undefined,
  }
}

/** The table's row, as it is written; what is folded in memory alone is read in this shape, too. */
export function toTokenHourRow(period: TokenHour): Selectable<TokenHourTable> {
  return { ...toBothRow(period), tx_count: period.txCount }
}

/** As `toTokenHourRow`. */
export function toTokenDayRow(period: TokenPeriod): Selectable<TokenDayTable> {
  return { ...toBothRow(period), ...toTokenSumsRow(period) }
}

/** What rows of hours and days have. */
function toBothRow(period: TokenEnd & TokenShare) {
  return {
    ...toTokenEndRow(period),
    token: period.token,
    start: period.startSeconds,
    open: period.open.toString(),
    high: period.high.toString(),
    low: period.low.toString(),
    volume: period.volume.toString(),
    volume_usd: period.volumeUsdE18.toString(),
    fees_usd: period.feesUsdE18.toString(),
    trust: period.trust ?? null,
  }
}
