import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { openStore, type StoreLocation } from '../store/openStore.ts'
import type { Store } from '../store/store.ts'

/** Engines that this machine can run: SQLite always, PostgreSQL where it is installed. */
export const engines: readonly Store['engine'][] = inject('postgresUrl') ? ['sqlite', 'postgres'] : ['sqlite']

/** Places for empty databases; all of them go when the test file ends. */
export function createTempStores() {
  const dir = mkdtempSync(join(tmpdir(), 'chainboard-test-'))
  const opened = new Set<Store>()
  afterAll(async () => {
    await Promise.all([...opened].map((store) => store.close()))
    rmSync(dir, { recursive: true, force: true })
  })
  const locate = async (engine: Store['engine']): Promise<StoreLocation> => {
    const name = `t${randomUUID().replaceAll('-', '')}`
    if (engine === 'sqlite') {
      // A folder of its own: a server has its folder to itself.
      mkdirSync(join(dir, name))
      return { file: join(dir, name, 'chainboard.db') }
    }
    const admin = new Client({ connectionString: `${inject('postgresUrl')}/postgres` })
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
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
  return { dir, locate, open, openNew: async (engine: Store['engine']) => open(await locate(engine)) }
}
