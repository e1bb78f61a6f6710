import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure } from '@chainboard/core'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { openServerStore, openStore } from './openStore.ts'
import { pipeline } from './pipelined.ts'
import { guardTransactions } from './sqlite/guardTransactions.ts'
import { SqliteFault } from './sqlite/sqliteFault.ts'
import { startWriter } from './sqlite/writerThread.ts'
import type { Store, Tx } from './store.ts'
import { toStoreFailure } from './toStoreFailure.ts'

const stores = createTempStores()

const addCredits = (tx: Tx, month: string) => tx.insertInto('credits').values({ service: 'test', month, spent: 1 }).execute()
const listMonths = async (store: Store) =>
  (await store.read.selectFrom('credits').select('month').orderBy('month').execute()).map(({ month }) => month)

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof Failure ? error.code : error
}

/** Writes rows that need new pages until SQLite refuses one. */
async function fillUp(tx: Tx): Promise<void> {
  for (let i = 0; i < 1_000; i += 1) await addCredits(tx, `${i}`.padStart(2_000, '0'))
}

describe('a full disk', () => {
  it('is named, keeps nothing of the transaction, and is over when there is room again', async () => {
    const store = await stores.openNew('sqlite')
    await store.write((tx) => sql`pragma max_page_count = 1`.execute(tx))
    expect(await codeOf(store.write(fillUp))).toBe('store-full')
    await store.write((tx) => sql`pragma max_page_count = 1000000`.execute(tx))
    await store.write((tx) => addCredits(tx, '2026-01'))
    expect(await listMonths(store)).toEqual(['2026-01'])
  })

  it('lets no later statement of its transaction through, not even after the error was caught', async () => {
    const store = await stores.openNew('sqlite')
    await store.write((tx) => sql`pragma max_page_count = 1`.execute(tx))
    const write = store.write(async (tx) => {
      await fillUp(tx).catch(() => undefined)
      await sql`pragma max_page_count = 1000000`.execute(tx)
      await addCredits(tx, 'alone')
    })
    expect(await codeOf(write)).toBe('store-full')
    expect(await listMonths(store)).toEqual([])
  })
})

describe('statements that are sent one after the other', () => {
  const add = (month: string) => pipeline(`insert into credits (service, month, spent) values ('test', ?, 1)`, [month])

  it('are not run behind one that ended their transaction', async () => {
    const store = await stores.openNew('sqlite')
    await store.write((tx) => sql`pragma max_page_count = 1`.execute(tx))
    const write = store.write(async (tx) => {
      await tx.executeQuery(add('0'.repeat(1_000_000)))
      await tx.executeQuery(pipeline('pragma max_page_count = 1000000', []))
      await tx.executeQuery(add('alone'))
    })
    expect(await codeOf(write)).toBe('store-full')
    expect(await listMonths(store)).toEqual([])
    await store.write((tx) => sql`pragma max_page_count = 1000000`.execute(tx))
    await store.write((tx) => tx.executeQuery(add('2026-01')))
    expect(await listMonths(store)).toEqual(['2026-01'])
  })

  it.each(engines)('fail their transaction, whatever came after them (%s)', async (engine) => {
    const store = await stores.openNew(engine)
    const twice = store.write(async (tx) => {
      for (const month of ['2026-01', '2026-01', '2026-02'])
        await tx.executeQuery(pipeline(`insert into credits (service, month, spent) values ('test', '${month}', 1)`, []))
    })
    expect(await twice.catch((error: Error) => error.message)).toMatch(/unique/i)
    expect(await listMonths(store)).toEqual([])
  })

  it('are done before what was asked for after them', async () => {
    const store = await stores.openNew('sqlite')
    const counted = await store.write(async (tx) => {
      for (let month = 0; month < 20; month += 1) await tx.executeQuery(add(String(month)))
      return tx.selectFrom('credits').select('month').execute()
    })
    expect(counted).toHaveLength(20)
  })
})

describe('a file that was moved while it is open', () => {
  it('takes no write, answers reads, and keeps what is written when it is put back', async () => {
    const location = (await stores.locateNew('sqlite')) as { file: string }
    const store = await stores.open(location)
    await store.write((tx) => addCredits(tx, '2026-01'))
    // A connection that was never used would open the files next to it only now.
    expect(await listMonths(store)).toEqual(['2026-01'])
    renameSync(location.file, `${location.file}.moved`)
    const words = 'The database file was moved or deleted: put it back, or stop the server and restore a backup'
    await expect(store.write((tx) => addCredits(tx, '2026-02'))).rejects.toThrow(words)
    await expect(store.ping()).rejects.toThrow(words)
    expect(await listMonths(store)).toEqual(['2026-01'])
    writeFileSync(location.file, 'another one')
    await expect(store.write((tx) => addCredits(tx, '2026-02'))).rejects.toThrow(words)
    renameSync(`${location.file}.moved`, location.file)
    await store.ping()
    await store.write((tx) => addCredits(tx, '2026-03'))
    expect(await listMonths(store)).toEqual(['2026-01', '2026-03'])
  })
})

it('a folder that leads nowhere for a while is a Failure of each write, and no bug', async () => {
  const { file } = (await stores.locateNew('sqlite')) as { file: string }
  const folder = dirname(file)
  const store = await stores.open({ file })
  await store.write((tx) => addCredits(tx, '2026-01'))
  renameSync(folder, `${folder}.away`)
  symlinkSync(folder, folder)
  const words = 'The database file cannot be reached (ELOOP)'
  await expect(store.write((tx) => addCredits(tx, '2026-02'))).rejects.toThrow(words)
  expect(await codeOf(store.ping())).toBe('store-unavailable')
  rmSync(folder)
  renameSync(`${folder}.away`, folder)
  await store.write((tx) => addCredits(tx, '2026-03'))
  expect(await listMonths(store)).toEqual(['2026-01', '2026-03'])
})

describe.each(['-wal', '-shm'])('a database whose file %s is deleted while it is open', (end) => {
  it('says so once, takes no write, and has everything when it was closed', async () => {
    const { file } = (await stores.locateNew('sqlite')) as { file: string }
    const lost: Failure[] = []
    const store = await openStore({ file }, (failure) => lost.push(failure))
    await store.write((tx) => addCredits(tx, '2026-01'))
    await store.write((tx) => addCredits(tx, '2026-02'))
    rmSync(`${file}${end}`)
    const words = `The file ${basename(file)}${end} of the database was moved or deleted: the server exits`
    await expect(store.write((tx) => addCredits(tx, '2026-03'))).rejects.toThrow(words)
    await expect(store.ping()).rejects.toThrow(words)
    expect(lost.map(({ message }) => message)).toEqual([expect.stringContaining(words)])
    await store.close()
    const again = await stores.open({ file })
    expect(await listMonths(again)).toEqual(['2026-01', '2026-02'])
  })
})

it('a server whose lock is deleted ends before a second one writes beside it', async () => {
  const { file } = (await stores.locateNew('sqlite')) as { file: string }
  const lost: string[] = []
  const store = await openServerStore({ file }, ({ message }) => lost.push(message))
  await store.write((tx) => addCredits(tx, '2026-01'))
  rmSync(join(dirname(file), 'server.lock'))
  const words =
    'The file server.lock of the database was moved or deleted: the server exits before a second one starts on the new file. Restart it'
  await expect(store.ping()).rejects.toThrow(words)
  await expect(store.write((tx) => addCredits(tx, '2026-02'))).rejects.toThrow(words)
  expect(lost).toEqual([words])
  await store.close()
  expect(await listMonths(await stores.open({ file }))).toEqual(['2026-01'])
})

it('a database that is being closed does not take the end of its own files for a loss', async () => {
  const { file } = (await stores.locateNew('sqlite')) as { file: string }
  const lost: Failure[] = []
  const store = await openStore({ file }, (failure) => lost.push(failure))
  await store.write((tx) => addCredits(tx, '2026-01'))
  await store.ping()
  const closed = store.close()
  rmSync(`${file}-wal`)
  await store.ping().catch(() => undefined)
  await closed
  expect(lost).toEqual([])
})

it('a database that may only be read says so', async () => {
  const store = await stores.openNew('sqlite')
  await sql`select 1`.execute(store.read)
  await store.write((tx) => sql`pragma query_only = 1`.execute(tx))
  expect(await codeOf(store.write((tx) => addCredits(tx, '2026-01')))).toBe('store-read-only')
})

it('a damaged page is a Failure of what touches it', async () => {
  const location = await stores.locate('sqlite')
  const file = (location as { file: string }).file
  const before = await stores.open(location)
  await before.write(async (tx) => {
    for (let i = 0; i < 200; i += 1) await addCredits(tx, `${i}`.padStart(2_000, '0'))
  })
  await before.write((tx) => addCredits(tx, '2026-01'))
  await before.close()
  const handle = openSync(file, 'r+')
  const page = 4_096
  const middle = Math.floor(statSync(file).size / page / 2) * page
  for (let at = middle; at < middle + 20 * page; at += page) writeSync(handle, Buffer.alloc(page, 0xff), 0, page, at)
  closeSync(handle)
  const after = await stores.open(location)
  expect(await codeOf(listMonths(after))).toBe('store-damaged')
})

it('a database thread that died is started again by the next statement', async () => {
  const folder = join(stores.dir, 'made-later')
  const writer = startWriter(join(folder, 'x.db'), 100)
  await expect(writer.execute('select 1', [])).rejects.toThrow(SqliteFault)
  mkdirSync(folder)
  expect((await writer.execute('select 7 as seven', [])).rows).toEqual([{ seven: 7 }])
  await writer.close()
})

it('a database thread that ended between two statements of a transaction keeps nothing of what follows in it', async () => {
  const writer = startWriter(join(stores.dir, 'ended.db'), 100)
  const guarded = guardTransactions(writer)
  await guarded.execute('create table t (n integer)', [])
  await guarded.execute('begin immediate', [])
  // Nothing was under way: no answer tells of it.
  await writer.close()
  await expect(guarded.execute('insert into t values (1)', [])).rejects.toThrow(SqliteFault)
  await expect(guarded.execute('commit', [])).rejects.toThrow(SqliteFault)
  await guarded.execute('rollback', [])
  expect((await guarded.execute('select n from t', [])).rows).toEqual([])
  await writer.close()
})

describe.runIf(engines.includes('postgres'))('PostgreSQL', () => {
  it('that ends a connection in the middle of a transaction costs that transaction only', async () => {
    const store = await stores.openNew('postgres')
    const write = store.write(async (tx) => {
      await addCredits(tx, 'lost')
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
      await addCredits(tx, 'lost, too')
    })
    expect(await codeOf(write)).toBe('store-unavailable')
    await store.write((tx) => addCredits(tx, '2026-01'))
    expect(await listMonths(store)).toEqual(['2026-01'])
  })

  it('that ends idle connections ends nothing here', async () => {
    const store = await stores.openNew('postgres')
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`.execute(store.read)))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      store.read,
    )
    await expect.poll(() => codeOf(listMonths(store))).toBe(undefined)
  })

  it.each([
    ["search_path = 'nowhere'", 'store-damaged'],
    ['default_transaction_read_only = on', 'store-read-only'],
    ['statement_timeout = 1', 'store-unavailable'],
  ])('sessions that began with %s end with it', async (setting, code) => {
    const store = await stores.openNew('postgres')
    const admin = await stores.openNew('postgres')
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(store.read)
    const { name } = rows[0] as { name: string }
    const endSessions = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    const work = () =>
      codeOf(
        store.write(async (tx) => {
          await sql`select pg_sleep(0.01)`.execute(tx)
          await tx.deleteFrom('credits').execute()
        }),
      )
    await sql.raw(`alter database ${name} set ${setting}`).execute(admin.read)
    await endSessions.execute(admin.read)
    await expect.poll(() => Promise.all([work(), work(), work()])).toEqual([code, code, code])
    await sql.raw(`alter database ${name} reset ${setting.split(' ')[0]}`).execute(admin.read)
    await expect.poll(() => Promise.all([work(), work(), work()])).toEqual([undefined, undefined, undefined])
  })
})

/** The code and the sentence of a Failure; another error as it is. */
async function say(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof Failure ? `${error.code}: ${error.message}` : error
}

it.each(engines)('tables that are gone from %s while the server runs are damage, no bug', async (engine) => {
  const store = await stores.openNew(engine)
  await store.write((tx) => sql`drop table favorites`.execute(tx))
  expect(await say(store.read.selectFrom('favorites').selectAll().execute())).toBe(
    'store-damaged: Tables of the database are missing',
  )
})

it('a transaction that PostgreSQL ended since it idled is no bug', () => {
  const error = Object.assign(new Error('terminating connection due to idle-in-transaction timeout'), { code: '25P03' })
  expect((toStoreFailure(error) as Failure).code).toBe('store-unavailable')
})

it.each([
  ['writing', 778, 'store-unavailable: The disk of the database fails (I/O error)'],
  ['an fsync', 1_034, 'store-unavailable: The disk of the database fails (I/O error)'],
  // What SQLite makes of an EIO of a read: https://sqlite.org/rescode.html#ioerr_corruptfs
  ['reading', 11, 'store-damaged: The database is damaged, or its disk has read errors'],
])('a disk that fails in %s is told as a disk that fails', (_, errcode, words) => {
  const failure = toStoreFailure(new SqliteFault('disk I/O error', errcode, false)) as Failure
  expect(`${failure.code}: ${failure.message}`).toBe(words)
})

it.each([
  ['42501', 'store-unavailable: The database user has no permissions on its tables'],
  ['42703', 'store-damaged: Tables of the database were changed by another program'],
  ['55000', 'store-unavailable: The database is not responding'],
])('what an operator did to PostgreSQL (%s) is no bug', (code, words) => {
  const failure = toStoreFailure(Object.assign(new Error('in its own words'), { code })) as Failure
  expect(`${failure.code}: ${failure.message}`).toBe(words)
})

it('what is wrong with a statement stays what it is: our bug', async () => {
  const store = await stores.openNew('sqlite')
  await store.write((tx) => addCredits(tx, '2026-01'))
  const twice = await codeOf(store.write((tx) => addCredits(tx, '2026-01')))
  expect(twice).toBeInstanceOf(Error)
  expect(twice).not.toBeInstanceOf(Failure)
})
