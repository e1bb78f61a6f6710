import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { openStore } from '../store/openStore.ts'
import type { Store } from '../store/store.ts'
import type { StoreLocation } from '../store/storeLocation.ts'
import { postgresTemplate } from './provideStores.ts'

/** Engines that this machine can run: SQLite always, PostgreSQL where it is installed. */
export const engines: readonly Store['engine'][] = inject('postgresUrl') ? ['sqlite', 'postgres'] : ['sqlite']

/** Places for databases; all of them go when the test file ends. */
export function createTempStores() {
  const dir = mkdtempSync(join(tmpdir(), 'chainboard-test-'))
  const opened = new Set<Store>()
  const databases: string[] = []
  afterAll(async () => {
    await Promise.all([...opened].map((store) => store.close()))
    rmSync(dir, { recursive: true, force: true })
    if (databases.length > 0) await asAdmin(databases.map((name) => `drop database ${name} with (force)`))
  })
  const place = async (engine: Store['engine'], hasTables: boolean): Promise<StoreLocation> => {
    const name = `t${randomUUID().replaceAll('-', '')}`
    if (engine === 'sqlite') {
      // A folder of its own: a server has its folder to itself.
      mkdirSync(join(dir, name))
      const file = join(dir, name, 'chainboard.db')
      if (hasTables) copyFileSync(inject('sqliteTemplate'), file)
      return { file }
    }
    databases.push(name)
    await asAdmin([`create database ${name} template ${hasTables ? postgresTemplate : 'template1'}${inject('postgresCopy')}`])
    return { databaseUrl: `${inject('postgresUrl')}/${name}` }
  }
  const open = async (location: StoreLocation): Promise<Store> => {
    const store = await openStore(location)
    opened.add(store)
    const close = async () => {
      if (opened.delete(store)) await store.close()
    }
    return { ...store, close }
  }
  return {
    dir,
    open,
    /** A place without a database, or with one that is empty: who opens it makes the tables. */
    locate: (engine: Store['engine']) => place(engine, false),
    /** A place with all tables, and no row in them. */
    locateNew: (engine: Store['engine']) => place(engine, true),
    openNew: async (engine: Store['engine']) => open(await place(engine, true)),
  }
}

async function asAdmin(statements: readonly string[]): Promise<void> {
  const admin = new Client({ connectionString: `${inject('postgresUrl')}/postgres` })
  await admin.connect()
  for (const statement of statements) await admin.query(statement)
  await admin.end()
}
