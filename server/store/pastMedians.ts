import { type Address, medianPrice, type PriceWindow } from '@chainboard/core'
import type { Db, Tx } from './store.ts'
import { listPricesAt } from './swaps.ts'

/**
 * sqrtPriceX96 of each pool at a past moment: the median of the window before it, weighted by time, of the prices at the ends of
 * blocks. Pools not open by then are left out.
 */
export async function listMediansAt(db: Db | Tx, window: PriceWindow): Promise<ReadonlyMap<Address, bigint>> {
  const { nowSeconds, windowSeconds } = window
  const start = nowSeconds - windowSeconds
  const medians = new Map(await listPricesAt(db, start))
  const changes = [...(await listOpenings(db, start, nowSeconds)), ...(await listPrices(db, start, nowSeconds))]
  for (const [pool, own] of Map.groupBy(changes, (change) => change.pool as Address)) {
    const price = medians.get(pool)
    const first = price === undefined ? [] : [{ atSeconds: start, sqrtPriceX96: price }]
    const later = own.map((row) => ({ atSeconds: row.timestamp, sqrtPriceX96: BigInt(row.price) }))
    medians.set(pool, medianPrice([...first, ...later], window))
  }
  return medians
}

type Row = { readonly pool: string; readonly timestamp: number; readonly price: string }

async function listPrices(db: Db | Tx, afterSeconds: number, toSeconds: number): Promise<Row[]> {
  return db
    .selectFrom('swaps')
    .select(['pool', 'timestamp', 'sqrt_price_x96 as price'])
    .where('timestamp', '>', afterSeconds)
    .where('timestamp', '<=', toSeconds)
    .orderBy('timestamp')
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
}

async function listOpenings(db: Db | Tx, afterSeconds: number, toSeconds: number): Promise<Row[]> {
  const rows = await db
    .selectFrom('pool_events')
    .select(['pool', 'timestamp', 'sqrt_price_x96'])
    .where('timestamp', '>', afterSeconds)
    .where('timestamp', '<=', toSeconds)
    .where('kind', '=', 'initialize')
    .execute()
  return rows.flatMap(({ sqrt_price_x96, ...row }) => (sqrt_price_x96 === null ? [] : [{ ...row, price: sqrt_price_x96 }]))
}
