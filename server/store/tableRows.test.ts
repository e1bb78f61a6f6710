import { type Insertable, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import type { BoostPaymentsTable } from './boostSchema.ts'
import { moveTable, moveTableBack } from './moveTable.ts'
import type { Store } from './store.ts'
import { countRows, hasRows, insertRows, listTables, readInOrder, readRows, type TableRow, withoutPlace } from './tableRows.ts'

const stores = createTempStores()
const users = (count: number): TableRow[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ id: `u${String(i).padStart(5, '0')}`, key: `k${i}`, username: `K${i}`, pin_hash: "it's", created_at: i },
  }))

async function readAll(pages: AsyncGenerator<readonly TableRow[]>): Promise<TableRow[][]> {
  const read: TableRow[][] = []
  for await (const page of pages) read.push([...page])
  return read
}

describe.each(engines)('tables as they are on %s', (engine) => {
  it('are listed with their columns, in the order in which these were made', async () => {
    const store = await stores.openNew(engine)
    const tables = await listTables(store.read, engine)
    expect(tables.get('user_wallets')).toEqual(['user_id', 'address', 'position'])
    expect(tables.get('no_such_table')).toBeUndefined()
    await store.write((tx) => sql`create view a_view as select id from users`.execute(tx))
    expect((await listTables(store.read, engine)).has('a_view')).toBe(false)
  })

  it('hold what is added, in whatever batches it is read', async () => {
    const store = await stores.openNew(engine)
    expect([await hasRows(store.read, 'users'), await countRows(store.read, 'users')]).toEqual([false, 0])
    const rows = users(2_345)
    await store.write((tx) => insertRows(tx, 'users', rows))
    await store.write((tx) => insertRows(tx, 'users', []))
    expect([await hasRows(store.read, 'users'), Number(await countRows(store.read, 'users'))]).toEqual([true, 2_345])
    const pages = await store.readConsistently((tx) => readAll(readRows(tx, engine, 'users')))
    expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 345])
    const read = pages.flat().map(withoutPlace)
    expect(read.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1))).toEqual(rows)
  })

  it('refuse a row that is there already, and keep nothing of the others', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => insertRows(tx, 'users', users(1)))
    await expect(store.write((tx) => insertRows(tx, 'users', users(3).reverse()))).rejects.toThrow()
    expect(Number(await countRows(store.read, 'users'))).toBe(1)
  })
})

describe('rows of SQLite in the order in which they lie', () => {
  it('are those of a table with its key for a place, and without, and those alone that are asked for', async () => {
    const store = await stores.openNew('sqlite')
    await store.write(async (tx) => {
      await sql`create table by_key (a integer, b text, c text, primary key (a, b)) without rowid`.execute(tx)
      for (const [a, b] of [
        [2, 'x'],
        [1, 'y'],
        [1, 'x'],
      ])
        await sql`insert into by_key values (${a}, ${b}, 'c')`.execute(tx)
    })
    const rows = (await readAll(readInOrder(store.read, 'by_key'))).flat()
    expect(rows.map(({ a, b }) => `${a}${b}`)).toEqual(['1x', '1y', '2x'])
    expect(withoutPlace(rows[0] ?? {})).toEqual({ a: 1, b: 'x', c: 'c' })
    const some = (await readAll(readInOrder(store.read, 'by_key', sql`b = 'x'`))).flat()
    expect(some.map(({ a, b }) => `${a}${b}`)).toEqual(['1x', '2x'])
  })
})

describe.each(engines)('a table that is moved on %s', (engine) => {
  const indexesOf = async ({ read }: Store, table: string) => {
    const { rows } =
      engine === 'sqlite'
        ? await sql<{ name: string }>`select name from sqlite_master where type = 'index' and tbl_name = ${table}
            and sql is not null order by name`.execute(read)
        : await sql<{ name: string }>`select indexname as name from pg_indexes where tablename = ${table}
            and schemaname = current_schema() order by name`.execute(read)
    return rows.map(({ name }) => name)
  }

  it('leaves an empty one of its form, and comes back with its rows and indexes', async () => {
    const store = await stores.openNew(engine)
    const payment: Insertable<BoostPaymentsTable> = {
      ...{ block_number: 1, log_index: 0, amount: '4', decimals: 6, expires_at: 5, timestamp: 7 },
      ...({ token: '0x01', payer: '0x02', payment_token: '0x03', tx_hash: '0x06' } as const),
    }
    await store.write((tx) => tx.insertInto('boost_payments').values(payment).execute())
    const [columns, indexes] = [
      (await listTables(store.read, engine)).get('boost_payments'),
      await indexesOf(store, 'boost_payments'),
    ]
    await store.write((tx) => moveTable(engine, tx, 'boost_payments', 'aside_boost_payments'))
    expect(await hasRows(store.read, 'boost_payments')).toBe(false)
    expect(Number(await countRows(store.read, 'aside_boost_payments'))).toBe(1)
    expect((await listTables(store.read, engine)).get('boost_payments')).toEqual(columns)
    expect(await indexesOf(store, 'boost_payments')).toEqual(indexes)
    // The empty one takes rows by the same rules.
    await store.write((tx) => tx.insertInto('boost_payments').values(payment).execute())
    await expect(store.write((tx) => tx.insertInto('boost_payments').values(payment).execute())).rejects.toThrow(/unique/i)

    await store.write((tx) => moveTableBack(engine, tx, 'aside_boost_payments', 'boost_payments'))
    expect(await store.read.selectFrom('boost_payments').select('amount').execute()).toEqual([{ amount: '4' }])
    expect(await indexesOf(store, 'boost_payments')).toEqual(indexes)
    expect((await listTables(store.read, engine)).has('aside_boost_payments')).toBe(false)
  })

  it('has to be there', async () => {
    const store = await stores.openNew(engine)
    await expect(store.write((tx) => moveTable(engine, tx, 'no_such_table', 'aside'))).rejects.toMatchObject({
      code: 'store-damaged',
    })
  })
})
