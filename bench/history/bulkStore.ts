import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { finished } from 'node:stream/promises'
import { Client } from 'pg'
import { StatementRunner } from '../../server/store/sqlite/statementRunner.ts'
import type { StoreLocation } from '../../server/store/storeLocation.ts'

export type Cell = string | number | null
export type BulkRow = Readonly<Record<string, Cell>>

/** Puts many rows into a store that no server has open, past everything that makes a store safe. */
export type BulkStore = {
  readonly engine: 'sqlite' | 'postgres'
  run(sql: string): Promise<void>
  /** Adds rows to a table. @param rows with one and the same columns */
  add(table: string, rows: Iterable<BulkRow>): Promise<void>
  /** Without the tables' indexes, which are made again after it. */
  withoutIndexes(tables: readonly string[], work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Pages that SQLite keeps in memory, in KiB. */
const cacheKiB = 3 * 1024 * 1024

/** @param folder for files that PostgreSQL reads rows from, which its account can enter */
export async function openBulkStore(location: StoreLocation, folder: string): Promise<BulkStore> {
  return 'file' in location ? openFile(location.file) : openDatabase(location.databaseUrl, folder)
}

/**
 * Has a database do at once what it would still do for minutes after many rows were put into it: write them to the disk, and count them for
 * its planner. Until then every commit waits behind gigabytes.
 */
export async function settleStore(location: StoreLocation): Promise<void> {
  if ('file' in location) {
    const file = await open(location.file, 'r+')
    return file.sync().finally(() => file.close())
  }
  const client = new Client({ connectionString: location.databaseUrl })
  await client.connect()
  try {
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

function openFile(file: string): BulkStore {
  const db = new DatabaseSync(file)
  const runner = new StatementRunner(db)
  db.exec(
    `pragma synchronous = off; pragma cache_size = -${cacheKiB}; pragma temp_store = memory; pragma wal_autocheckpoint = 100000`,
  )
  return {
    engine: 'sqlite',
    run: async (sql) => db.exec(sql),
    async add(table, rows) {
      db.exec('begin')
      let insert = ''
      for (const row of rows) {
        const columns = Object.keys(row)
        // As the query builder writes it, so that values are packed.
        insert ||= `insert into "${table}" (${columns.map((name) => `"${name}"`).join(', ')}) values (${columns.map(() => '?').join()})`
        runner.run(insert, Object.values(row))
      }
      db.exec('commit')
    },
    async withoutIndexes(tables, work) {
      const found = db.prepare("select name, tbl_name, sql from sqlite_master where type = 'index' and sql is not null").all()
      const ours = found.filter(({ tbl_name }) => tables.includes(String(tbl_name)))
      for (const { name } of ours) db.exec(`drop index ${name}`)
      await work()
      for (const { sql } of ours) db.exec(String(sql))
    },
    close: async () => {
      db.exec('pragma wal_checkpoint(truncate)')
      db.close()
    },
  }
}

async function openDatabase(databaseUrl: string, folder: string): Promise<BulkStore> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 0")
  return {
    engine: 'postgres',
    run: async (sql) => void (await client.query(sql)),
    async add(table, rows) {
      const file = join(folder, `${table}.copy`)
      const out = createWriteStream(file)
      let columns: string[] = []
      for (const row of rows) {
        columns = Object.keys(row)
        if (
          !out.write(
            `${Object.values(row)
              .map((cell) => cell ?? '\\N')
              .join('\t')}\n`,
          )
        )
          await once(out, 'drain')
      }
      out.end()
      await finished(out)
      await chmod(file, 0o644)
      if (columns.length > 0) await client.query(`copy ${table} (${columns.join()}) from '${file}'`)
      await rm(file)
    },
    async withoutIndexes(tables, work) {
      const { rows } = await client.query<{ indexname: string; indexdef: string }>(
        `select indexname, indexdef from pg_indexes where tablename = any($1)
         and indexname not in (select conname from pg_constraint)`,
        [[...tables]],
      )
      for (const { indexname } of rows) await client.query(`drop index ${indexname}`)
      await work()
      for (const { indexdef } of rows) await client.query(indexdef)
    },
    close: () => client.end(),
  }
}
