import { type PoolPrice, token0Price, token1Price } from '@chainboard/core'
import { sql } from 'kysely'
import type { Book } from './book.ts'
import { showDecimal, showRatio } from './decimal.ts'
import type { ColumnContext, EntityName, ReferenceField, ScalarField, ScalarType, SqlValue } from './entity.ts'
import type { Row } from './row.ts'
import { doubleOf, type Sql } from './storedColumns.ts'

// Makers of fields, one for each way a column becomes a value of the subgraph.

const q192 = 2 ** 192
/** Decimals of the dollars in columns. */
export const usdDecimals = 18

/** A whole number of any size from a column; 0 for null, which only nullable columns hold. */
export function whole(row: Row, column: string): bigint {
  return BigInt(row[column] ?? 0)
}

/** @param show the value as it goes out; `sql` says the same to the database, without it nothing filters or orders by the field */
export function scalar(
  name: string,
  type: ScalarType,
  show: ScalarField['show'],
  options: { sql?: SqlValue; nullable?: boolean; fromNode?: 'origin' | 'gasPrice' } = {},
): ScalarField {
  const { sql: value, nullable = false, fromNode } = options
  return { kind: 'scalar', name, type, nullable, show, ...(value && { sql: value }), ...(fromNode && { fromNode }) }
}

/** A column of the database's own whole numbers: blocks, times, ticks. */
export function integer(name: string, column: string, type: 'Int' | 'BigInt' = 'BigInt', nullable = false): ScalarField {
  const show = (row: Row) => {
    const value = row[column] ?? null
    return value === null || type === 'Int' ? value : String(value)
  }
  return scalar(name, type, show, { sql: { kind: 'integer', column }, nullable })
}

/** A column with a whole number of any size. */
export function exact(name: string, column: string): ScalarField {
  return scalar(name, 'BigInt', (row) => String(row[column] ?? '0'), { sql: { kind: 'exact', column } })
}

/** A column of lower-case hexadecimal. */
export function bytes(name: string, column: string, nullable = false): ScalarField {
  return scalar(name, 'Bytes', (row) => row[column] ?? null, { sql: { kind: 'text', column }, nullable })
}

/** The same for every row, because the index does not follow it. */
export function constant(name: string, type: 'BigInt' | 'ID', value: string): ScalarField {
  return scalar(name, type, () => value)
}

/** A column of US dollars x 10^18. */
export function usd(name: string, column: string, nullable = false): ScalarField {
  const expression = (context: ColumnContext) => sql`${doubleOf(column, context)} / 1e18`
  return scalar(name, 'BigDecimal', (row) => showDecimal(whole(row, column), usdDecimals), {
    sql: { kind: 'double', expression, sortsAs: column },
    nullable,
  })
}

/** A column of smallest units of one of the pool's tokens; `pool` names the column with the pool's address. */
export function poolAmount(name: string, column: string, side: 0 | 1, pool: string): ScalarField {
  const expression = (context: ColumnContext) => sql`${doubleOf(column, context)} / ${scaleOf(side)}`
  return scalar(name, 'BigDecimal', (row, book) => showDecimal(whole(row, column), poolDecimals(row[pool], book)[side]), {
    sql: { kind: 'double', expression, scales: 'of pool' },
  })
}

/** A column of a pool's sqrtPriceX96 as the price of its convention. `pool` names the column with the pool's address. */
export function poolPrice(name: string, column: string, side: 0 | 1, pool: string): ScalarField {
  const [up, down] = side === 0 ? [scaleOf(1), scaleOf(0)] : [scaleOf(0), scaleOf(1)]
  const expression = (context: ColumnContext) => {
    const root = doubleOf(column, context)
    const raw = side === 0 ? sql`${sql.lit(q192)} / nullif(${root} * ${root}, 0)` : sql`(${root} * ${root}) / ${sql.lit(q192)}`
    return sql`coalesce(${raw} * ${up} / ${down}, 0)`
  }
  return scalar(name, 'BigDecimal', (row, book) => showPrice(whole(row, column), side, poolDecimals(row[pool], book)), {
    sql: { kind: 'double', expression, scales: 'of pool' },
  })
}

/** An entity that a column names. */
export function reference(name: string, entity: EntityName, column: string): ReferenceField {
  return { kind: 'reference', name, entity, column, idOf: (row) => String(row[column]) }
}

/** A token of the pool that a row belongs to. */
export function tokenOfPool(name: 'token0' | 'token1'): ReferenceField {
  return { kind: 'reference', name, entity: 'Token', idOf: (row, book) => String(book.pools.get(String(row['pool']))?.[name]) }
}

/** Decimals of a pool's two tokens; 0 for a token that does not say. */
export function poolDecimals(pool: string | number | null | undefined, book: Book): readonly [number, number] {
  const row = book.pools.get(String(pool))
  return [tokenDecimals(row?.['token0'], book), tokenDecimals(row?.['token1'], book)]
}

/** Decimals of a token; 0 for one that does not say. */
export function tokenDecimals(token: string | number | null | undefined, book: Book): number {
  return Number(book.tokens.get(String(token))?.['decimals'] ?? 0)
}

function showPrice(sqrtPriceX96: bigint, side: 0 | 1, [decimals0, decimals1]: readonly [number, number]): string {
  const pool: PoolPrice = { sqrtPriceX96, decimals0, decimals1 }
  const { numerator, denominator } = side === 0 ? token0Price(pool) : token1Price(pool)
  return showRatio(numerator, denominator)
}

/** 10^decimals of a token of the row's pool, as a double. */
function scaleOf(side: 0 | 1): Sql {
  return sql.ref(`d.scale${side}`)
}
