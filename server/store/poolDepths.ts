import { type Address, createTickList, type DepthPool, type TickList } from '@chainboard/core'
import { collectSlices } from './rows.ts'
import type { Db, Tx } from './store.ts'

/** A step of 2 % is 199 ticks: none of more than these matters. */
const ticksAround = 200

/** Where a pool stands, and its ticks that a trade of 2 % can reach. */
export type PoolDepth = { readonly address: Address; readonly pool: DepthPool; readonly ticks: TickList }

/** Of open pools that the index has. A look into the key of the ticks for each. */
export async function listPoolDepths(db: Db | Tx, pools: readonly Address[]): Promise<PoolDepth[]> {
  const rows = await collectSlices(pools, (slice) =>
    db.selectFrom('pools').select(['address', 'sqrt_price_x96', 'tick', 'liquidity']).where('address', 'in', slice).execute(),
  )
  const depths: PoolDepth[] = []
  for (const { address, sqrt_price_x96, tick, liquidity } of rows) {
    if (tick === null) continue
    const near = await db
      .selectFrom('ticks')
      .select(['tick', 'liquidity_gross', 'liquidity_net'])
      .where('pool', '=', address)
      .where('tick', '>=', tick - ticksAround)
      .where('tick', '<=', tick + ticksAround)
      .execute()
    const ticks = createTickList(
      near.map((row) => [row.tick, { gross: BigInt(row.liquidity_gross), net: BigInt(row.liquidity_net) }] as const),
    )
    depths.push({ address, pool: { sqrtPriceX96: BigInt(sqrt_price_x96), tick, liquidity: BigInt(liquidity) }, ticks })
  }
  return depths
}
