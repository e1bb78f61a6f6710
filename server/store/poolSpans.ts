import type { Address, PoolSpan } from '@chainboard/core'
import { createInsert } from './rows.ts'
import type { Db, Tx } from './store.ts'

/** A span of a pool: what it was until a block changed its price or its depth. */
export type SpanOfPool = PoolSpan & { readonly pool: Address }

const addSpans = createInsert({ table: 'pool_spans', key: ['pool', 'until_at'] })

/** Adds spans; those that are there already are left. */
export async function insertSpans(tx: Tx, spans: readonly SpanOfPool[]): Promise<void> {
  const rows = spans.map((span) => ({
    pool: span.pool,
    from_at: span.fromSeconds,
    until_at: span.untilSeconds,
    sqrt_price_x96: span.sqrtPriceX96.toString(),
    depth0: span.depth0.toString(),
    depth1: span.depth1.toString(),
  }))
  await addSpans(tx, rows)
}

/** Those of each pool that end after a moment, ascending. */
export async function listSpansAfter(db: Db | Tx, afterSeconds: number): Promise<ReadonlyMap<Address, SpanOfPool[]>> {
  const rows = await db.selectFrom('pool_spans').selectAll().where('until_at', '>', afterSeconds).orderBy('until_at').execute()
  const spans = rows.map((row) => ({
    pool: row.pool,
    fromSeconds: row.from_at,
    untilSeconds: row.until_at,
    sqrtPriceX96: BigInt(row.sqrt_price_x96),
    depth0: BigInt(row.depth0),
    depth1: BigInt(row.depth1),
  }))
  return Map.groupBy(spans, ({ pool }) => pool)
}

/** Deletes those that ended at a moment or before it. */
export async function deleteSpansUntil(tx: Tx, untilSeconds: number): Promise<void> {
  await tx.deleteFrom('pool_spans').where('until_at', '<=', untilSeconds).execute()
}

/** Of all pools: they are of the last minutes, and are made again out of what is stored. */
export async function deleteSpans(tx: Tx): Promise<void> {
  await tx.deleteFrom('pool_spans').execute()
}
