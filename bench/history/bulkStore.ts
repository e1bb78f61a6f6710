import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { finished } from 'node:stream/promises'
import { Client } from 'pg'
import { StatementRunner } from '../../server/store/sqlite/statementRunner.ts'
import type { StoreLocation } from '../../server/store/storeLocation.ts'
import { NotMeasured } from '../notMeasured.ts'

/** A row by its columns. `object`: rows of the server's own types, whose cells are checked when they are written. */
export type BulkRow = object
type Cell = string | number | null

/** Puts many rows into a store that no server has open, without what makes a store safe. */
export type BulkStore = {
  readonly engine: 'sqlite' | 'postgres'
  run(sql: string): Promise<void>
  /** Adds rows to a table. @param rows with one and the same columns */
  add(table: string, rows: Iterable<BulkRow>): Promise<void>
  /** Without the tables' indexes, which are created again afterwards. */
  withoutIndexes(tables: readonly string[], work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Pages that SQLite keeps in memory, in KiB. */
const cacheKiB = 3 * 1024 * 1024

/** Opens a store for many rows. @param folder for files that PostgreSQL reads rows from; its account needs access */
export async function openBulkStore(location: StoreLocation, folder: string): Promise<BulkStore> {
  return 'file' in location ? openFile(location.file) : openDatabase(location.databaseUrl, folder)
}

/**
 * Has a database do at once what it would otherwise do for minutes after many rows were added: write them to the disk, and count them for
 * its planner. Until then every commit waits for gigabytes.
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
        runner.run(insert, toCells(row))
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
            `${toCells(row)
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

/** @throws NotMeasured for a value that a column cannot hold */
function toCells(row: BulkRow): Cell[] {
  return Object.values(row).map((value: unknown) => {
    if (value === null || typeof value === 'string' || typeof value === 'number') return value
    throw new NotMeasured(`A cell is a ${typeof value}`)
  })
}
