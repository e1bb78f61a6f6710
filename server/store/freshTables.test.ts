import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool } from 'pg'
import { expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import type { Schema } from './schema.ts'
import { deleteSwapsAfter, listPoolsTradedAfter, listSwapsBetween } from './swaps.ts'
import { deleteTransactionsAfter } from './transactions.ts'

const stores = createTempStores()
const swaps = 50_000

/** As after a restore: many rows, and nothing that PostgreSQL has counted. Its autovacuum is off in tests. */
async function fillUncounted(db: Kysely<Schema>): Promise<void> {
  const place = sql`k, 0, '0xa0', '0x' || md5(k::text), 1000000000 + 12 * k`
  await sql`insert into swaps (block_number, log_index, pool, tx_hash, timestamp, sender, recipient, amount0, amount1, sqrt_price_x96,
    liquidity, tick, amount_usd) select ${place}, '0xb0', '0xb0', 1, -1, 1, 1, 0, 1 from generate_series(1, ${swaps}::int) as k`.execute(
    db,
  )
  await sql`insert into transactions (hash, block_number, log_index, timestamp)
    select tx_hash, block_number, log_index, timestamp from swaps`.execute(db)
}

it.runIf(engines.includes('postgres'))('PostgreSQL finds the newest rows by an index before it has statistics', async () => {
  const { databaseUrl } = (await stores.locateNew('postgres')) as { databaseUrl: string }
  const asked: { readonly sql: string; readonly parameters: readonly unknown[] }[] = []
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: databaseUrl, max: 1 }) }),
    log: ({ query }) => void asked.push(query),
  })
  const explainer = new Client({ connectionString: databaseUrl })
  await explainer.connect()
  try {
    await fillUncounted(db)
    asked.length = 0
    const newest = 1_000_000_000 + 12 * swaps
    expect(await listSwapsBetween(db, { fromSeconds: newest - 60, toBlock: swaps })).toHaveLength(6)
    expect(await listPoolsTradedAfter(db, swaps - 4)).toEqual(['0xa0'])
    await db.transaction().execute(async (tx) => {
      await deleteSwapsAfter(tx, swaps - 4)
      await deleteTransactionsAfter(tx, swaps - 4)
    })
    const plans: string[] = []
    for (const each of asked.filter((query) => /^(select|delete)/.test(query.sql))) {
      const { rows } = await explainer.query(`explain ${each.sql}`, [...each.parameters])
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    expect(plans).toHaveLength(4)
    expect(plans.filter((plan) => plan.includes('Seq Scan'))).toEqual([])
  } finally {
    await explainer.end()
    await db.destroy()
  }
})
