import type { Address } from '@chainboard/core'
import type { Db, Tx } from './store.ts'

/** The price that a swap left a pool at, and what it traded. US dollars x 10^18. */
export type PoolMove = {
  readonly atSeconds: number
  readonly sqrtPriceX96: bigint
  /** Absolute amounts in smallest units. */
  readonly volume0: bigint
  readonly volume1: bigint
  readonly usdE18: bigint
}

/** The newest swaps of a pool in `[fromSeconds, toSeconds)`, newest first: one look into its index. */
export async function listPoolMoves(
  db: Db | Tx,
  { pool, fromSeconds, toSeconds }: { readonly pool: Address; readonly fromSeconds: number; readonly toSeconds: number },
  limit: number,
): Promise<PoolMove[]> {
  const rows = await db
    .selectFrom('swaps')
    .select(['timestamp', 'sqrt_price_x96', 'amount0', 'amount1', 'amount_usd'])
    .where('pool', '=', pool)
    .where('timestamp', '>=', fromSeconds)
    .where('timestamp', '<', toSeconds)
    .orderBy('timestamp', 'desc')
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    atSeconds: row.timestamp,
    sqrtPriceX96: BigInt(row.sqrt_price_x96),
    ...{ volume0: abs(BigInt(row.amount0)), volume1: abs(BigInt(row.amount1)), usdE18: BigInt(row.amount_usd) },
  }))
}

/** When a pool last traded before a moment; unix seconds, undefined: never. */
export async function findLastMoveBefore(db: Db | Tx, pool: Address, beforeSeconds: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('swaps')
    .select('timestamp')
    .where('pool', '=', pool)
    .where('timestamp', '<', beforeSeconds)
    .orderBy('timestamp', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.timestamp
}

const abs = (amount: bigint) => (amount < 0n ? -amount : amount)
