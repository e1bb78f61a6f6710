import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '@chainboard/core'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockTables } from '../testing/lockTables.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { toRequestStore } from './requestStore.ts'
import type { Tx } from './store.ts'

const stores = createTempStores()

async function timed(work: Promise<unknown>): Promise<{ readonly text: string; readonly seconds: number }> {
  const startMs = performance.now()
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  const text = error instanceof Failure ? `${error.code} ${error.message}, ${error.detail['retryAfterSeconds']}` : String(error)
  return { text, seconds: (performance.now() - startMs) / 1_000 }
}

const addCredits = (tx: Tx) => tx.insertInto('credits').values({ service: 'a', month: '2026-11', spent: 1 }).execute()

it('on SQLite requests use the store as it is', async () => {
  const store = await stores.openNew('sqlite')
  expect(toRequestStore(store)).toBe(store)
})

it('on a SQLite file that another program has locked one write waits and those behind it fail with it; the rest is read', async () => {
  const location = (await stores.locateNew('sqlite')) as { file: string }
  const store = await stores.open(location)
  const program = new DatabaseSync(location.file)
  onTestFinished(() => program.close())
  program.exec('begin immediate')
  const writes = await Promise.all(Array.from({ length: 20 }, () => timed(store.write(addCredits))))
  for (const { text, seconds } of writes) {
    expect(text).toBe('store-unavailable Another program has locked the database, 5')
    expect(seconds).toBeLessThan(8)
  }
  expect(await store.read.selectFrom('credits').selectAll().execute()).toEqual([])
  program.exec('rollback')
  await expect.poll(() => timed(store.write(addCredits)), { timeout: 5_000 }).toMatchObject({ text: 'undefined' })
  expect(await store.read.selectFrom('credits').select('spent').execute()).toEqual([{ spent: 1 }])
})

describe.runIf(engines.includes('postgres'))('on a PostgreSQL that another session has locked', () => {
  it('requests are refused after seconds, later ones at once, and the rest of the server waits on', async () => {
    const location = (await stores.locateNew('postgres')) as { databaseUrl: string }
    const store = await stores.open(location)
    const requests = toRequestStore(store)
    const unlock = await lockTables(location.databaseUrl, ['credits', 'sync_cursor'])
    onTestFinished(unlock)
    const indexing = store.write(addCredits)
    const first = await Promise.all([
      timed(requests.write(addCredits)),
      timed(requests.readConsistently((tx) => tx.selectFrom('sync_cursor').selectAll().execute())),
    ])
    for (const { text, seconds } of first) {
      expect(text).toBe('store-unavailable Another session has locked tables of the database, 5')
      expect(seconds).toBeLessThan(8)
    }
    const next = await timed(requests.write(addCredits))
    expect(next.text).toBe('store-unavailable The database is not responding, 5')
    expect(next.seconds).toBeLessThan(0.5)

    await unlock()
    await indexing
    await requests.ping()
    expect(await requests.read.selectFrom('credits').select('spent').execute()).toEqual([{ spent: 1 }])
  })

  it('a statement of a request that takes longer than any should is ended', async () => {
    const store = await stores.openNew('postgres')
    const { text, seconds } = await timed(sql`select pg_sleep(30)`.execute(toRequestStore(store).read))
    expect(text).toBe('store-unavailable The database is not responding, 5')
    expect(seconds).toBeLessThan(9)
  })

  it('a process of PostgreSQL that hangs costs a request seconds', async () => {
    const store = await stores.openNew('postgres')
    const requests = toRequestStore(store)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(requests.read)
    const pid = Number(rows[0]?.pid)
    process.kill(pid, 'SIGSTOP')
    try {
      const { text, seconds } = await timed(sql`select 1`.execute(requests.read))
      expect(text).toBe('store-unavailable The database is not responding, 5')
      expect(seconds).toBeLessThan(9)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
  })

  it('a lost answer ends its statement within 18 seconds; a long statement is not ended', {
    timeout: 60_000,
  }, async () => {
    const { databaseUrl } = (await stores.locateNew('postgres')) as { databaseUrl: string }
    const { hostname, port } = new URL(databaseUrl)
    const ways: Socket[] = []
    const way = createServer((down) => {
      const up = connect(Number(port || 5432), hostname)
      ways.push(up)
      up.pipe(down).pipe(up)
      for (const socket of [up, down]) socket.on('error', () => undefined)
    })
    await new Promise<void>((done) => way.listen(0, '127.0.0.1', done))
    onTestFinished(() => void way.close())
    const through = new URL(databaseUrl)
    through.host = `127.0.0.1:${(way.address() as AddressInfo).port}`
    const store = await stores.open({ databaseUrl: through.href })
    const long = timed(sql`select pg_sleep(12)`.execute((await stores.open({ databaseUrl })).read))
    await sql`select 1`.execute(store.read)
    // Nothing comes back any more on the ways that there are.
    for (const up of ways) up.unpipe().resume()
    const lost = await timed(sql`select 1`.execute(store.read))
    expect(lost.text).toBe('store-unavailable The database is not responding, 5')
    expect(lost.seconds).toBeLessThan(18)
    expect((await timed(sql`select 1`.execute(store.read))).text).toBe('undefined')
    expect(await long).toMatchObject({ text: 'undefined' })
  })
})
