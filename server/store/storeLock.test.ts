import { existsSync, readdirSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, inject, it, vi } from 'vitest'
import { startServerProcess } from '../testing/serverProcess.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { lockStore, openServerStore } from './openStore.ts'
import type { StoreLocation } from './storeLocation.ts'

const stores = createTempStores()
const nobody = () => undefined

const environment = (dataDir: string) => ({ DATA_DIR: dataDir, RPC_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' })

describe('two servers on one file', () => {
  it('the second refuses in one sentence that names the first; killed, the first never blocks', {
    timeout: 120_000,
  }, async () => {
    const dir = join(stores.dir, 'two')
    const env = environment(dir)
    const first = startServerProcess(env)
    await first.listening
    const second = startServerProcess(env)
    expect(await second.ended).toBe(2)
    const lines = second.output().trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      new RegExp(`^Chainboard cannot start: Another Chainboard server uses .*\\(pid ${first.child.pid} on .*, since 20`),
    )
    expect(lines[0]).toContain(`the folder ${join(dir, 'devnet')} `)

    first.child.kill('SIGKILL')
    await first.ended
    const third = startServerProcess(env)
    expect((await fetch(`${await third.listening}/healthz`)).status).toBe(200)
    third.child.kill('SIGTERM')
    expect(await third.ended).toBe(0)
    expect(existsSync(join(dir, 'devnet', 'server.pid'))).toBe(false)
  })
})

describe.each(engines)('two programs on one %s', (engine) => {
  it('the second gets the lock when the first gives it back while it waits', async () => {
    const location = await stores.locate(engine)
    const first = await openServerStore(location, nobody)
    const second = lockStore(location, { isAlone: false, onLost: nobody })
    await first.close()
    await (await second).release()
  })
})

it('a clean stop leaves the whole database in one file, although somebody read until then', async () => {
  const file = join(stores.dir, 'clean', 'chainboard.db')
  const store = await openServerStore({ file }, nobody)
  await store.write((tx) => tx.insertInto('credits').values({ service: 'a', month: '2026-11', spent: 7 }).execute())
  expect(await store.read.selectFrom('credits').select('spent').execute()).toEqual([{ spent: 7 }])
  await store.close()
  expect(readdirSync(dirname(file))).toEqual(['chainboard.db', 'server.lock'])
})

it('a stop while another process reads leaves the newest rows beside the file, and says so', { timeout: 60_000 }, async () => {
  const file = join(stores.dir, 'read', 'devnet', 'chainboard.db')
  const env = { DATA_DIR: join(stores.dir, 'read'), RPC_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'warn' }
  const stopped = async (whileRunning: () => void) => {
    const { child, listening, ended, output } = startServerProcess(env)
    await listening
    whileRunning()
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    return output()
      .split('\n')
      .filter((line) => line.includes('chainboard.db-wal'))
  }
  expect(await stopped(() => undefined)).toEqual([])
  expect(readdirSync(dirname(file))).not.toContain('chainboard.db-wal')
  const reader = new DatabaseSync(file, { readOnly: true })
  const lines = await stopped(() => {
    reader.exec('begin')
    reader.prepare('select count(*) from users').get()
    const writer = new DatabaseSync(file, { timeout: 10_000 })
    writer.exec("insert into credits (service, month, spent) values ('a', '2026-11', 7)")
    writer.close()
  })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 40,
      wal: `${file}-wal`,
      msg: 'Another process is still reading the database. The newest rows are in this file: keep it with chainboard.db',
    },
  ])
  expect(readdirSync(dirname(file))).toContain('chainboard.db-wal')
  reader.close()
})

const postgresUrl = inject('postgresUrl')

describe.skipIf(!postgresUrl)("the lock's connection to PostgreSQL", () => {
  const holders = `select l.pid from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and l.granted and d.datname = current_database()`

  async function observe(location: StoreLocation): Promise<Client> {
    if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL')
    const client = new Client({ connectionString: location.databaseUrl })
    await client.connect()
    return client
  }
  const findHolder = async (observer: Client) => (await observer.query<{ pid: number }>(holders)).rows[0]?.pid

  it('lost, is made again, and has the lock again', async () => {
    const location = await stores.locate('postgres')
    const taken = vi.fn()
    const lock = await lockStore(location, { isAlone: false, onLost: taken })
    const observer = await observe(location)
    const before = await findHolder(observer)
    await observer.query('select pg_terminate_backend($1)', [before])
    await vi.waitFor(async () => {
      const now = await findHolder(observer)
      expect(now).toBeTypeOf('number')
      expect(now).not.toBe(before)
    }, 10_000)
    await lock.release()
    expect(await findHolder(observer)).toBeUndefined()
    await observer.end()
    expect(taken).not.toHaveBeenCalled()
  })

  it('lost without a word, as on a way that forgets idle connections, is noticed within seconds', async () => {
    const location = await stores.locate('postgres')
    if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL')
    const { hostname, port } = new URL(location.databaseUrl)
    const ups: Socket[] = []
    const way = createServer((down) => {
      const up = connect(Number(port || 5432), hostname)
      ups.push(up)
      down.pipe(up, { end: false })
      // What comes from the database ends, and nobody tells.
      up.pipe(down, { end: false })
      for (const socket of [up, down]) socket.on('error', () => undefined)
    })
    await new Promise<void>((done) => way.listen(0, '127.0.0.1', done))
    const through = new URL(location.databaseUrl)
    through.host = `127.0.0.1:${(way.address() as AddressInfo).port}`
    const taken = vi.fn()
    const lock = await lockStore({ databaseUrl: through.href }, { isAlone: false, onLost: taken })
    const observer = await observe(location)
    const before = await findHolder(observer)
    for (const up of ups) up.destroy()
    await vi.waitFor(async () => expect(await findHolder(observer)).not.toBe(before), 15_000)
    await vi.waitFor(async () => expect(await findHolder(observer)).toBeTypeOf('number'), 30_000)
    await lock.release()
    await observer.end()
    way.close()
    expect(taken).not.toHaveBeenCalled()
  })

  it('lost to another server, is reported as a failure, and nothing is written from then on', async () => {
    const location = await stores.locate('postgres')
    const { promise, resolve } = Promise.withResolvers<Error>()
    const first = await openServerStore(location, resolve)
    await first.write(async () => undefined)
    const observer = await observe(location)
    // Waits in the queue of the database, so it is the first when the lock gets free.
    await observer.query(`set application_name = 'chainboard other 77 0123abcd'`)
    const queued = observer.query('select pg_advisory_lock(4853314791062309)')
    const killer = await observe(location)
    await vi.waitFor(async () => {
      const waiting = await killer.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)
      expect(waiting.rowCount).toBe(1)
    }, 15_000)
    await killer.query('select pg_terminate_backend($1)', [await findHolder(killer)])
    await queued
    expect((await promise).message).toMatch(
      /^Another Chainboard server uses the database "t[0-9a-f]+" \(pid 77 on other, since 20/,
    )
    await expect(first.write(async () => undefined)).rejects.toMatchObject({ code: 'store-in-use' })
    await Promise.all([first.close(), observer.end(), killer.end()])
  })
})
