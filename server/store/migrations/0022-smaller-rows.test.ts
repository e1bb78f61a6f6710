import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { dumpIndex } from '../../testing/dumpIndex.ts'
import { insertRows, rows } from '../../testing/graphFixture.ts'
import { createTempStores, engines } from '../../testing/tempStores.ts'
import { migrateStore } from '../migrateStore.ts'
import { openStore } from '../openStore.ts'
import { openSqlite } from '../sqlite/openSqlite.ts'
import type { Store } from '../store.ts'
import { insertRows as insertAsRead } from '../tableRows.ts'
import { droppedColumns } from '../tables.ts'
import { migrationsFor } from './index.ts'

const stores = createTempStores()
const until = (last: string) => Object.fromEntries(Object.entries(migrationsFor('sqlite')).filter(([name]) => name <= last))
const openUntil = (file: string, last: string) => openSqlite(file, (db) => migrateStore(db, 'sqlite', until(last)))

/** Events with what is long, negative, missing or no hexadecimal at all. */
const [swap] = rows.swaps ?? []
const swaps = [
  ...(rows.swaps ?? []),
  {
    ...(swap as NonNullable<typeof swap>),
    block_number: 111,
    log_index: 0,
    tx_hash: `0x${'0f'.repeat(32)}` as const,
    amount0: '-115792089237316195423570985008687907853269984665640564039457584007913129639935',
    amount1: '0',
    sqrt_price_x96: '1461446703485210103287273052203988822378723970341',
    liquidity: '140737488355328',
  },
  { ...(swap as NonNullable<typeof swap>), block_number: 112, log_index: 0, ...({ tx_hash: '0xabc', sender: '0x1' } as const) },
]
const fixture = { ...rows, swaps }

async function openBefore(file: string, also: readonly object[] = []): Promise<Store> {
  mkdirSync(dirname(file), { recursive: true })
  const store = await openUntil(file, '0021-kept-since')
  await store.write(async (tx) => {
    for (const [table, list] of Object.entries(fixture)) {
      // What a later migration drops.
      const dropped = Object.fromEntries((droppedColumns[table] ?? []).map((name) => [name, '5']))
      await insertAsRead(tx, table, list.map((row) => ({ ...row, ...dropped })) as never)
    }
    await insertAsRead(tx, 'swaps', also as never)
    await sql`insert or ignore into transactions (hash, block_number, log_index, timestamp) select tx_hash, block_number, log_index, timestamp from swaps`.execute(
      tx,
    )
  })
  return store
}

/** Without what today's queries expect of columns. */
const plain = ({ read }: Store) => ({ read: read.withoutPlugins() })

const formsOf = (file: string) => {
  const db = new DatabaseSync(file, { readOnly: true })
  const forms = db
    .prepare('select typeof(pool) pool, typeof(tx_hash) hash, typeof(amount0) amount from swaps order by block_number')
    .all()
  const open = db.prepare('select typeof(open) open, typeof(high) high from pool_hours').all()
  db.close()
  return { swaps: forms.map((row) => Object.values(row).join()), hours: open.map((row) => Object.values(row).join()) }
}

describe('a store of before with rows in it', () => {
  it('has the same rows after the upgrade, in shorter forms', async () => {
    const file = join(stores.dir, 'upgraded', 'chainboard.db')
    const old = await openBefore(file)
    const wanted = await dumpIndex(plain(old))
    await old.close()
    expect(formsOf(file).swaps).toEqual(['text,text,text', 'text,text,text', 'text,text,text'])
    const store = await openUntil(file, '0022-smaller-rows')
    expect(await dumpIndex(store)).toEqual(wanted)
    // The root at the end of the hour is that of the highest price in it.
    expect(wanted.hours.map(({ high, sqrt_price_x96 }) => high === sqrt_price_x96)).toEqual([true])
    expect(formsOf(file)).toEqual({
      swaps: ['integer,blob,integer', 'integer,blob,blob', 'integer,text,integer'],
      hours: ['blob,null'],
    })
    const { rows: left } = await sql`select name from sqlite_master where name like '%_before' or name = 'transactions'`.execute(
      store.read,
    )
    expect(left).toEqual([])
    await store.close()
  })

  it('has all of them where they are more than one statement packs', async () => {
    const file = join(stores.dir, 'many', 'chainboard.db')
    const many = Array.from({ length: 4_500 }, (_, i) => ({
      ...(swap as NonNullable<typeof swap>),
      block_number: 1_000 + i,
      amount1: `-${i}00000000000000000000`,
    }))
    await (await openBefore(file, many)).close()
    const store = await openStore({ file })
    const found = store.read.selectFrom('swaps').selectAll().where('block_number', '>=', 1_000).orderBy('block_number')
    expect((await found.execute()).map((row) => ({ ...row }))).toEqual(
      many.map((row) => ({ ...row, amount1: String(BigInt(row.amount1)) })),
    )
    await store.close()
  })

  it('gets the tables and indexes that a new one has', async () => {
    const file = join(stores.dir, 'tables', 'chainboard.db')
    await (await openBefore(file)).close()
    await (await openStore({ file })).close()
    const listOf = (path: string) => {
      const db = new DatabaseSync(path, { readOnly: true })
      const made = db.prepare("select name, sql from sqlite_master where name not like 'kysely%' order by name").all()
      db.close()
      return made.map((row) => ({ ...row }))
    }
    const made = (await stores.locateNew('sqlite')) as { file: string }
    expect(listOf(file)).toEqual(listOf(made.file))
  })

  it('is as before when the upgrade fails at its end', async () => {
    const file = join(stores.dir, 'failed', 'chainboard.db')
    const old = await openBefore(file)
    const wanted = await dumpIndex(plain(old))
    const failing = { up: () => Promise.reject(new Error('killed')) }
    const upgrade = old.write((tx) => migrateStore(tx, 'sqlite', { ...migrationsFor('sqlite'), '9999-killed': failing }))
    await expect(upgrade).rejects.toThrow('killed')
    expect(await dumpIndex(plain(old))).toEqual(wanted)
    await old.close()
    expect(formsOf(file).swaps).toEqual(['text,text,text', 'text,text,text', 'text,text,text'])
  })
})

describe.each(engines)('rows on %s', (engine) => {
  it('are read as they were written, whatever is unusual in them', async () => {
    const store = await stores.openNew(engine)
    await insertRows(store, fixture)
    const read = await store.read.selectFrom('swaps').selectAll().orderBy('block_number').execute()
    expect(read.map((row) => ({ ...row }))).toEqual(swaps)
  })

  it('are found and sorted by addresses, hashes and numbers as text', async () => {
    const store = await stores.openNew(engine)
    const [high, low] = [`0x${'fe'.repeat(20)}`, `0x${'0a'.repeat(20)}`] as const
    const made = [high, low, high].map((sender, i) => ({ ...(swap as NonNullable<typeof swap>), block_number: i, sender }))
    await insertRows(store, { swaps: made })
    const blocksOf = async (query: { execute(): Promise<{ block_number: number }[]> }) =>
      (await query.execute()).map(({ block_number }) => block_number)
    const all = store.read.selectFrom('swaps').select('block_number').orderBy('sender').orderBy('block_number')
    expect(await blocksOf(all)).toEqual([1, 0, 2])
    expect(await blocksOf(all.where('sender', '=', low))).toEqual([1])
    expect(await blocksOf(all.where('sender', 'in', [low, '0x00']))).toEqual([1])
    expect(await blocksOf(all.where('sender', '=', '0x00'))).toEqual([])
    expect(await blocksOf(all.where('tx_hash', '=', (swap as NonNullable<typeof swap>).tx_hash))).toEqual([1, 0, 2])
    expect(await blocksOf(all.where('amount1', '=', (swap as NonNullable<typeof swap>).amount1))).toEqual([1, 0, 2])
    expect(await blocksOf(all.where('amount1', '!=', '0').where('amount0', 'in', ['7', '8']))).toEqual([])
  })
})
