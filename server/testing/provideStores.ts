import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openStore, type StoreLocation } from '../store/openStore.ts'
import { startPrivatePostgres } from './privatePostgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a PostgreSQL for these tests alone, without the database's name; empty where none is installed. */
    postgresUrl: string
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
    await createDatabase(postgres.url, postgresTemplate)
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

async function createDatabase(url: string, name: string): Promise<void> {
  const admin = new Client({ connectionString: `${url}/postgres` })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
}
