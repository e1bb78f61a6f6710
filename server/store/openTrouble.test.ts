import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '@chainboard/core'
import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { emptyPeriods, toVersion6 } from '../testing/toVersion6.ts'
import { describeOpenTrouble } from './describeOpenTrouble.ts'
import { openServerStore, openStore, openVisitorStore } from './openStore.ts'
import { SqliteFault } from './sqlite/sqliteFault.ts'
import type { StoreLocation } from './storeLocation.ts'

const stores = createTempStores()
const nobody = () => undefined

/** The code and the sentence that the operator reads. */
async function trouble(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Failure)) throw new Error('no failure', { cause: error })
  return `${error.code}: ${error.message}`
}

async function asLeftBy(engine: (typeof engines)[number], change: (run: (text: string) => Promise<unknown>) => Promise<void>) {
  const location = await stores.locate(engine)
  const store = await stores.open(location)
  await store.write((tx) => change((text) => sql.raw(text).execute(tx)))
  await store.close()
  return location
}

describe.each(engines)('data on %s that this program did not leave', (engine) => {
  it('written by a newer version: says which migration, and what to do', async () => {
    const location = await asLeftBy(engine, async (run) => {
      await run(`insert into kysely_migration (name, timestamp) values ('0099-later', '2027-01-01T00:00:00.000Z')`)
    })
    const sentence =
      'store-foreign: The data was written by a newer version of Chainboard (migration 0099-later): start that version again, or restore a backup made before the upgrade.'
    expect(await trouble(openServerStore(location, nobody))).toBe(sentence)
    expect(await trouble(openVisitorStore(location))).toBe(sentence)
  })

  it('with its tables, but without the record of migrations', async () => {
    const location = await asLeftBy(engine, async (run) => void (await run('drop table kysely_migration')))
    expect(await trouble(openStore(location))).toMatch(
      /^store-foreign: The database already has sync_cursor, and no record of a migration that made it/,
    )
  })

  it('with a gap in the record of migrations', async () => {
    const location = await asLeftBy(
      engine,
      async (run) => void (await run(`delete from kysely_migration where name = '0003-credits'`)),
    )
    expect(await trouble(openStore(location))).toBe(
      'store-foreign: The record of migrations in table kysely_migration lacks 0003-credits, although later ones are in it: restore a backup.',
    )
  })

  it('with a table that is gone', async () => {
    const location = await asLeftBy(engine, async (run) => void (await run('drop table favorites')))
    expect(await trouble(openStore(location))).toBe(
      'store-damaged: The database has no table favorites, although it was made by a migration: restore a backup.',
    )
  })

  it('of an older version: a tool leaves it as it is, the server upgrades it', async () => {
    const location = await asLeftBy(engine, async (run) => {
      for (const statement of [...toVersion6, ...emptyPeriods, 'drop table if exists addresses']) await run(statement)
    })
    expect(await trouble(openVisitorStore(location))).toMatch(/^store-foreign: The data ends with migration 0006-boosts/)
    const store = await openServerStore(location, nobody)
    await store.close()
    await (await openVisitorStore(location)).close()
  })

  it("with Kysely's lock row left behind: opens", async () => {
    const location = await asLeftBy(engine, async (run) => {
      await run(
        `insert into kysely_migration_lock (id, is_locked) values ('migration_lock', 1) on conflict (id) do update set is_locked = 1`,
      )
      for (const statement of [...toVersion6, ...emptyPeriods, 'drop table if exists addresses']) await run(statement)
    })
    await (await openStore(location)).close()
  })
})

describe('a file that is no database of ours', () => {
  const fileWith = (name: string, content: string | Uint8Array) => {
    const folder = join(stores.dir, name)
    mkdirSync(folder)
    const file = join(folder, 'chainboard.db')
    writeFileSync(file, content)
    return { file }
  }

  it('has a damaged header', async () => {
    const location = fileWith('header', 'x'.repeat(8_192))
    expect(await trouble(openStore(location))).toBe(
      `store-damaged: ${location.file} is damaged (file is not a database): if the system log has I/O errors, the disk is failing. Move the file and its -wal file away and restore a backup (npm run restore).`,
    )
  })

  it('has a damaged first page', async () => {
    const location = fileWith('page', '')
    const db = new DatabaseSync(location.file)
    db.exec('create table a (b)')
    const bytes = db.prepare('select 1').get() && new Uint8Array(8_192).fill(255)
    db.close()
    writeFileSync(location.file, Buffer.concat([Buffer.from('SQLite format 3\0'), bytes ?? new Uint8Array()]))
    expect(await trouble(openStore(location))).toMatch(/^store-damaged: /)
  })

  it('is another program’s', async () => {
    const location = fileWith('foreign', '')
    const db = new DatabaseSync(location.file)
    db.exec('create table users (mine text)')
    db.close()
    expect(await trouble(openStore(location))).toMatch(/^store-foreign: The database already has users, and no record/)
  })

  it('is a folder', async () => {
    mkdirSync(join(stores.dir, 'folder.db'))
    const file = join(stores.dir, 'folder.db')
    expect(await trouble(openStore({ file }))).toBe(
      `store-unavailable: ${file} cannot be opened (unable to open database file): the server's user needs write access to the file and its folder. If it has that, raise the limit of open files (ulimit -n), and check the system log for low memory or a failing disk. To read a read-only snapshot, copy chainboard.db and its -wal file, if there is one, to a writable folder, and set DATA_DIR.`,
    )
  })

  it.each(['EMFILE', 'ENFILE'])('cannot be opened since no file descriptor is left for its thread (%s)', (code) => {
    const fault = new SqliteFault(`the database thread ended: Worker initialization failure: ${code}`, 4, false)
    const { message } = describeOpenTrouble(fault, { file: '/data/x.db' }) as Failure
    expect(message).toBe(
      `/data/x.db cannot be opened (the database thread ended: Worker initialization failure: ${code}): no file descriptors are left. Raise the limit of open files (ulimit -n).`,
    )
  })

  it.each([
    ['a folder', 1_544],
    ['a file system', 8],
  ])('is in a snapshot, and SQLite may make nothing beside it in %s that is read-only', (_, errcode) => {
    const fault = new SqliteFault('attempt to write a readonly database', errcode, false)
    expect(describeOpenTrouble(fault, { file: '/data/x.db' })).toMatchObject({
      code: 'store-read-only',
      message:
        '/data/x.db is on a read-only file system, or it or its folder is read-only: make both writable. To read a read-only snapshot, copy chainboard.db and its -wal file, if there is one, to a writable folder, and set DATA_DIR.',
    })
  })

  it('should be in a folder whose name a file has', async () => {
    const { file } = fileWith('occupied', '')
    expect(await trouble(openServerStore({ file: join(file, 'devnet', 'chainboard.db') }, nobody))).toMatch(
      /^store-unavailable: The folder of .* cannot be created: a file is in its place/,
    )
  })

  it.skipIf(process.getuid?.() === 0)('may not be written to', async () => {
    const { file } = fileWith('readonly', '')
    chmodSync(file, 0o400)
    expect(await trouble(openStore({ file }))).toMatch(/^store-read-only: /)
  })

  it('is not there, for a tool', async () => {
    const file = join(stores.dir, 'nowhere', 'chainboard.db')
    expect(await trouble(openVisitorStore({ file }))).toBe(
      `store-unavailable: Nothing is stored at ${file} yet: run npm start first.`,
    )
  })
})

const postgresUrl = inject('postgresUrl')
const given = (databaseUrl: string): StoreLocation => ({ databaseUrl })

describe.skipIf(!postgresUrl)('a wrong DATABASE_URL', () => {
  const at = new URL(postgresUrl || 'postgres://x').host

  it.each([
    ['a host that nobody has', 'postgres://u:p4ss@no-such-host.invalid/db', /the host "no-such-host\.invalid" is unknown\./],
    ['a port where nothing listens', 'postgres://u:p4ss@127.0.0.1:1/db', /nothing listens at 127\.0\.0\.1:1\. Start PostgreSQL/],
    [
      'a database that is not there',
      `${postgresUrl}/missing`,
      new RegExp(`PostgreSQL at ${at} has no database "missing"\\. Create it`),
    ],
    ['a user that is not there', `postgres://ann:p4ss@${at}/postgres`, /rejects the user "ann"\. Correct user and password\./],
    ['text that is no URL', 'postgres://u:p#4ss@127.0.0.1/db', /^config-invalid: DATABASE_URL is not a URL/],
  ])('%s', async (_, url, wanted) => {
    for (const open of [openStore, (location: StoreLocation) => openServerStore(location, nobody)]) {
      const sentence = await trouble(open(given(url)))
      expect(sentence).toMatch(wanted)
      expect(sentence).not.toContain('4ss')
    }
  })

  it('a program that is no PostgreSQL', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    const sentence = await trouble(openServerStore(given(`postgres://u@127.0.0.1:${port}/db`), nobody))
    server.close()
    expect(sentence).toMatch(/^store-unavailable: DATABASE_URL: /)
  })

  it('a server whose TLS is none, for a tool', async () => {
    const server = createServer((socket) =>
      socket.once('data', () => socket.write('S')).on('data', () => socket.end('no handshake')),
    )
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    const sentence = await trouble(openVisitorStore(given(`postgres://u@127.0.0.1:${port}/db?sslmode=verify-full`)))
    server.close()
    expect(sentence).toMatch(/^store-unavailable: DATABASE_URL: TLS with 127\.0\.0\.1:\d+ failed \(.+\)\. Correct sslmode\.$/s)
  })

  it('a program that never answers', { timeout: 30_000 }, async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    const sentence = await trouble(openServerStore(given(`postgres://u@127.0.0.1:${port}/db`), nobody))
    server.close()
    expect(sentence).toMatch(/^store-unavailable: DATABASE_URL: .* did not respond in time/)
  })
})
