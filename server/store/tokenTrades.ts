import type { Address } from '@chainboard/core'
import type { Db, Tx } from './store.ts'

/** What a swap moved of a pool's tokens, and for whom. Amounts in smallest units, positive into the pool; US dollars x 10^18. */
export type PoolTrade = {
  readonly pool: Address
  readonly atSeconds: number
  readonly recipient: Address
  readonly amount0: bigint
  readonly amount1: bigint
  readonly usdE18: bigint
}

/** Trades of a pool after a moment, until another that is included, newest first. */
export async function listPoolTrades(
  db: Db | Tx,
  { pool, afterSeconds, toSeconds }: { readonly pool: Address; readonly afterSeconds: number; readonly toSeconds: number },
  limit: number,
): Promise<PoolTrade[]> {
  const rows = await db
    .selectFrom('swaps')
    .select(['timestamp', 'recipient', 'amount0', 'amount1', 'amount_usd'])
    .where('pool', '=', pool)
    .where('timestamp', '>', afterSeconds)
    .where('timestamp', '<=', toSeconds)
    .orderBy('timestamp', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...{ pool, atSeconds: row.timestamp, recipient: row.recipient },
    ...{ amount0: BigInt(row.amount0), amount1: BigInt(row.amount1), usdE18: BigInt(row.amount_usd) },
  }))
}

/** What a pool traded in an hour. */
export type HourTrades = { readonly startSeconds: number; readonly swaps: number; readonly usdE18: bigint }

/** Hours of a pool that start in `[fromSeconds, toSeconds)` and have a swap. */
export async function listHourTrades(
  db: Db | Tx,
  { pool, fromSeconds, toSeconds }: { readonly pool: Address; readonly fromSeconds: number; readonly toSeconds: number },
): Promise<HourTrades[]> {
  const rows = await db
    .selectFrom('pool_hours')
    .select(['start', 'swap_count', 'volume_usd'])
    .where('pool', '=', pool)
    .where('start', '>=', fromSeconds)
    .where('start', '<', toSeconds)
    .where('swap_count', '>', 0)
    .execute()
  return rows.map((row) => ({ startSeconds: row.start, swaps: row.swap_count, usdE18: BigInt(row.volume_usd) }))
}
