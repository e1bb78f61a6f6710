import { createTickList, executableDepth } from '@chainboard/core'
import type { Migration } from 'kysely/migration'
import type { Db, Store } from '../store.ts'
import { listTicksOf } from '../ticks.ts'

const poolsAtOnce = 500

/** What trades within 2 % of each pool's price, out of its ticks, and since when it trades. */
export function addExecutableDepth(engine: Store['engine']): Migration {
  const exact = engine === 'postgres' ? 'numeric(78, 0)' : 'text'
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  return {
    async up(db: Db) {
      for (const column of ['depth0', 'depth1'])
        await db.schema
          .alterTable('pools')
          .addColumn(column, exact, (c) => c.notNull().defaultTo('0'))
          .execute()
      await db.schema.alterTable('pools').addColumn('first_swap_at', whole).execute()
      await db
        .updateTable('pools')
        .set((e) => ({
          first_swap_at: e
            .selectFrom('swaps')
            .select((s) => s.fn.min('swaps.timestamp').as('first'))
            .whereRef('swaps.pool', '=', 'pools.address'),
        }))
        .execute()
      await fillDepths(db)
    },
  }
}

async function fillDepths(db: Db): Promise<void> {
  const pools = await db
    .selectFrom('pools')
    .select(['address', 'sqrt_price_x96', 'tick', 'liquidity'])
    .where('tick', 'is not', null)
    .execute()
  for (let from = 0; from < pools.length; from += poolsAtOnce) {
    const slice = pools.slice(from, from + poolsAtOnce)
    const addresses = slice.map(({ address }) => address)
    const ticks = Map.groupBy(await listTicksOf(db, addresses), ({ pool }) => pool)
    for (const { address, sqrt_price_x96, tick, liquidity } of slice) {
      const list = createTickList((ticks.get(address) ?? []).map((row) => [row.tick, row]))
      const standing = { sqrtPriceX96: BigInt(sqrt_price_x96), tick: tick ?? undefined, liquidity: BigInt(liquidity) }
      const { depth0, depth1 } = executableDepth(standing, list)
      await db
        .updateTable('pools')
        .set({ depth0: depth0.toString(), depth1: depth1.toString() })
        .where('address', '=', address)
        .execute()
    }
  }
}
