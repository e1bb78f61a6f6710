import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool } from 'pg'
import { expect, it } from 'vitest'
import { openTestGraph } from '../testing/graphFixture.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import type { Schema } from './schema.ts'
import type { Store, Tx } from './store.ts'
import { listAllSwapsBefore, listSwapsOfBefore } from './swapFeed.ts'
import { deleteSwapsAfter, listPoolsTradedAfter, listSwapsBetween } from './swaps.ts'
import { findLastBlockBefore, findLastEventTime, findNextEvent } from './transactions.ts'

const stores = createTempStores()
const swaps = 50_000

/** As after a restore: many rows, and nothing that PostgreSQL has counted. Its autovacuum is off in tests. */
async function fillUncounted(db: Kysely<Schema>): Promise<void> {
  const place = sql`k, 0, '0xa0', '0x' || md5(k::text), 1000000000 + 12 * k`
  await sql`insert into swaps (block_number, log_index, pool, tx_hash, timestamp, sender, recipient, amount0, amount1, sqrt_price_x96,
    liquidity, tick, amount_usd) select ${place}, '0xb0', '0xb0', 1, -1, 1, 1, 0, 1 from generate_series(1, ${swaps}::int) as k`.execute(
    db,
  )
}

type Asked = { readonly sql: string; readonly parameters: readonly unknown[] }

async function explainAll(explainer: Client, asked: readonly Asked[]): Promise<string[]> {
  const plans: string[] = []
  for (const each of asked.filter((query) => /^(select|delete)/.test(query.sql))) {
    const { rows } = await explainer.query(`explain ${each.sql}`, [...each.parameters])
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  return plans
}

it.runIf(engines.includes('postgres'))('PostgreSQL finds the newest rows by an index before it has statistics', async () => {
  const { databaseUrl } = (await stores.locateNew('postgres')) as { databaseUrl: string }
  const asked: Asked[] = []
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
    expect(Number(await findLastEventTime(db, swaps - 1))).toBe(newest - 12)
    expect(Number((await findNextEvent(db, swaps - 1))?.blockNumber)).toBe(swaps)
    expect(Number(await findLastBlockBefore(db, newest))).toBe(swaps - 1)
    const page = { before: { timestampSeconds: newest, blockNumber: swaps, logIndex: 0 }, limit: 3 }
    expect((await listAllSwapsBefore(db, page)).map(({ blockNumber }) => Number(blockNumber))).toEqual([49_999, 49_998, 49_997])
    expect(await listSwapsOfBefore(db, { pool: '0xa0' }, page)).toHaveLength(3)
    expect(await listSwapsOfBefore(db, { recipient: '0xb0' }, page)).toHaveLength(3)
    await db.transaction().execute((tx) => deleteSwapsAfter(tx, swaps - 4))
    const plans = await explainAll(explainer, asked)
    expect(plans).toHaveLength(12)
    expect(plans.filter((plan) => plan.includes('Seq Scan'))).toEqual([])
  } finally {
    await explainer.end()
    await db.destroy()
  }
})

it.runIf(engines.includes('postgres'))(
  'PostgreSQL lists the transactions of events by indexes, with statistics and without',
  async () => {
    const { databaseUrl } = (await stores.locateNew('postgres')) as { databaseUrl: string }
    const asked: Asked[] = []
    const db = new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: new Pool({ connectionString: databaseUrl, max: 1 }) }),
      log: ({ query }) => void asked.push(query),
    })
    const explainer = new Client({ connectionString: databaseUrl })
    await explainer.connect()
    try {
      await fillUncounted(db)
      const block = { block_number: swaps, block_hash: '0xb0', block_timestamp: 1_000_000_000 + 12 * swaps } as const
      await db
        .insertInto('sync_cursor')
        .values({ id: 1, identity: 'test', ...block })
        .execute()
      const graph = openTestGraph({
        engine: 'postgres',
        read: db,
        readConsistently: (work: (tx: Tx) => Promise<unknown>) => db.transaction().execute(work),
      } as Store)
      for (const statistics of ['without', 'with']) {
        if (statistics === 'with') await sql`analyze`.execute(db)
        for (const list of [
          'orderBy: timestamp, orderDirection: desc',
          'where: { id_gt: "0x5" }',
          'where: { id: "0xc4ca4238" }',
        ]) {
          asked.length = 0
          await graph.ask(`{ transactions(first: 5, ${list}) { id } }`)
          const plans = await explainAll(
            explainer,
            asked.filter((query) => query.sql.includes('union all')),
          )
          expect(plans).toHaveLength(1)
          expect(plans.filter((plan) => plan.includes('Seq Scan on swaps'))).toEqual([])
        }
      }
    } finally {
      await explainer.end()
      await db.destroy()
    }
  },
)
