import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openStore } from '../store/openStore.ts'
import type { StoreLocation } from '../store/storeLocation.ts'
import { startPrivatePostgres } from './privatePostgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a PostgreSQL for these tests alone, without the database's name; empty where none is installed. */
    postgresUrl: string
    /** How it copies a database in half the time: by its files, which versions before 15 do anyway. */
    postgresCopy: '' | ' strategy file_copy'
    /** A file with all tables of this version and no row of ours: a copy takes a fraction of what the migrations take. */
    sqliteTemplate: string
    /** Where the first devnet of the run is kept, once one was started. */
    firstDevnet: string
  }
}

/** The same as the file, as a database of the PostgreSQL. */
export const postgresTemplate = 'chainboard_template'

/** What the stores of one run of the tests are made from. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'chainboard-templates-'))
  const sqliteTemplate = join(dir, 'template.db')
  await makeTables({ file: sqliteTemplate })
  provide('sqliteTemplate', sqliteTemplate)
  const firstDevnet = join(dir, 'first-devnet')
  mkdirSync(firstDevnet)
  provide('firstDevnet', firstDevnet)
  const postgres = await startPrivatePostgres()
  provide('postgresUrl', postgres?.url ?? '')
  if (postgres) {
    const version = await createDatabase(postgres.url, postgresTemplate)
    provide('postgresCopy', version < 150_000 ? '' : ' strategy file_copy')
    await makeTables({ databaseUrl: `${postgres.url}/${postgresTemplate}` })
  }
  return async () => {
    await postgres?.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function makeTables(location: StoreLocation): Promise<void> {
  const store = await openStore(location)
  await store.close()
}

/** @returns the server's version, 150000 for the first of 15 */
async function createDatabase(url: string, name: string): Promise<number> {
  const admin = new Client({ connectionString: `${url}/postgres` })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const { rows } = await admin.query<{ server_version_num: string }>('show server_version_num')
  await admin.end()
  return Number(rows[0]?.server_version_num)
}
