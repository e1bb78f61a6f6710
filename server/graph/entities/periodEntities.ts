import { daySeconds, hourSeconds } from '@chainboard/core'
import { sql } from 'kysely'
import { binaryText } from '../binaryText.ts'
import { showDecimal, showRatio } from '../decimal.ts'
import type { DoubleExpression, Entity, Field, ScalarField, Scales, TableSource } from '../entity.ts'
import { exact, integer, poolAmount, poolPrice, reference, scalar, tokenDecimals, usd, usdDecimals, whole } from '../fields.ts'
import { doubleOf, orderOf, textOf } from '../storedColumns.ts'

// Hours and days of pools, tokens and the exchange, and the ticks of pools. A period's id is `<address>-<its number>`, the number
// being its start / its length; the numbers of all years from 1997 to 2084 are of one width, so they sort as texts do.

const addressLength = 42

type PeriodTable = 'pool_hours' | 'pool_days' | 'token_hours' | 'token_days'

function periodSource(table: PeriodTable, column: 'pool' | 'token', seconds: number): TableSource {
  return {
    kind: 'table',
    table,
    owner: { column, entity: column === 'pool' ? 'Pool' : 'Token' },
    time: 'start',
    head: { column, length: addressLength },
    id: {
      text: (context) =>
        binaryText(context.engine, sql`(${textOf(column, context)} || '-' || cast(t.start / ${sql.lit(seconds)} as text))`),
      order: (context) => [...orderOf(column, context), sql`t.start`],
    },
  }
}

function periodId(column: 'pool' | 'token', seconds: number): ScalarField {
  return scalar('id', 'ID', (row) => `${row[column]}-${Number(row['start']) / seconds}`, { sql: { kind: 'id' } })
}

const poolFigures: readonly Field[] = [
  reference('pool', 'Pool', 'pool'),
  exact('liquidity', 'liquidity'),
  exact('sqrtPrice', 'sqrt_price_x96'),
  poolPrice('token0Price', 'sqrt_price_x96', 0, 'pool'),
  poolPrice('token1Price', 'sqrt_price_x96', 1, 'pool'),
  integer('tick', 'tick', 'BigInt', true),
  usd('tvlUSD', 'tvl_usd'),
  poolAmount('volumeToken0', 'volume0', 0, 'pool'),
  poolAmount('volumeToken1', 'volume1', 1, 'pool'),
  usd('volumeUSD', 'volume_usd'),
  usd('feesUSD', 'fees_usd'),
  integer('txCount', 'event_count'),
  poolPrice('open', 'open', 0, 'pool'),
  // token0Price falls as the root rises: its high is at the lowest root.
  poolPrice('high', 'low', 0, 'pool'),
  poolPrice('low', 'high', 0, 'pool'),
  poolPrice('close', 'sqrt_price_x96', 0, 'pool'),
]

function tokenAmount(name: string, column: string): ScalarField {
  return double(
    name,
    (row, book) => showDecimal(whole(row, column), tokenDecimals(row['token'], book)),
    (context) => sql`${doubleOf(column, context)} / ${sql.ref('d.scale')}`,
    'of token',
  )
}

function double(name: string, show: ScalarField['show'], expression: DoubleExpression, scales?: Scales): ScalarField {
  return scalar(name, 'BigDecimal', show, { sql: { kind: 'double', expression, ...(scales && { scales }) } })
}

const tokenFigures: readonly Field[] = [
  reference('token', 'Token', 'token'),
  tokenAmount('volume', 'volume'),
  usd('volumeUSD', 'volume_usd'),
  usd('untrackedVolumeUSD', 'volume_usd'),
  tokenAmount('totalValueLocked', 'reserve'),
  double(
    'totalValueLockedUSD',
    (row, book) => showDecimal(whole(row, 'reserve') * whole(row, 'price_usd'), tokenDecimals(row['token'], book) + usdDecimals),
    (context) => sql`${doubleOf('reserve', context)} / ${sql.ref('d.scale')} * ${doubleOf('price_usd', context)} / 1e18`,
    'of token',
  ),
  usd('priceUSD', 'price_usd'),
  usd('feesUSD', 'fees_usd'),
  usd('open', 'open'),
  usd('high', 'high'),
  usd('low', 'low'),
  usd('close', 'price_usd'),
]

/** The id is the pool and the hour's number since 1970. An hour without events has no row. */
export const poolHour: Entity = {
  name: 'PoolHourData',
  singular: 'poolHourData',
  plural: 'poolHourDatas',
  source: periodSource('pool_hours', 'pool', hourSeconds),
  fields: [periodId('pool', hourSeconds), integer('periodStartUnix', 'start', 'Int'), ...poolFigures],
}

/** The id is the pool and the UTC day's number since 1970. A day without events has no row. */
export const poolDay: Entity = {
  name: 'PoolDayData',
  singular: 'poolDayData',
  plural: 'poolDayDatas',
  source: periodSource('pool_days', 'pool', daySeconds),
  fields: [periodId('pool', daySeconds), integer('date', 'start', 'Int'), ...poolFigures],
}

/** The id is the token and the hour's number since 1970. An hour without events has no row. */
export const tokenHour: Entity = {
  name: 'TokenHourData',
  singular: 'tokenHourData',
  plural: 'tokenHourDatas',
  source: periodSource('token_hours', 'token', hourSeconds),
  fields: [periodId('token', hourSeconds), integer('periodStartUnix', 'start', 'Int'), ...tokenFigures],
}

/** The id is the token and the UTC day's number since 1970. A day without events has no row. */
export const tokenDay: Entity = {
  name: 'TokenDayData',
  singular: 'tokenDayData',
  plural: 'tokenDayDatas',
  source: periodSource('token_days', 'token', daySeconds),
  fields: [periodId('token', daySeconds), integer('date', 'start', 'Int'), ...tokenFigures],
}

const dayText = sql`cast(t.start / ${sql.lit(daySeconds)} as text)`

/** All pools together. The id is the UTC day's number since 1970. */
export const exchangeDay: Entity = {
  name: 'UniswapDayData',
  singular: 'uniswapDayData',
  plural: 'uniswapDayDatas',
  source: {
    kind: 'table',
    table: 'exchange_days',
    time: 'start',
    head: { column: 'start', length: 0 },
    id: { text: ({ engine }) => binaryText(engine, dayText), order: () => [sql`t.start`] },
  },
  fields: [
    scalar('id', 'ID', (row) => String(Number(row['start']) / daySeconds), { sql: { kind: 'id' } }),
    integer('date', 'start', 'Int'),
    double(
      'volumeETH',
      (row) => showRatio(whole(row, 'volume_usd'), whole(row, 'native_usd')),
      (context) => sql`coalesce(${doubleOf('volume_usd', context)} / nullif(${doubleOf('native_usd', context)}, 0), 0)`,
    ),
    usd('volumeUSD', 'volume_usd'),
    usd('volumeUSDUntracked', 'volume_usd'),
    usd('feesUSD', 'fees_usd'),
    integer('txCount', 'tx_count'),
    usd('tvlUSD', 'tvl_usd'),
  ],
}
