import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrationsFor } from '../../store/migrations/index.ts'
import type { Schema } from '../../store/schema.ts'
import { createReadDb, createWriteDb } from '../../store/sqlite/openSqlite.ts'
import { SqliteDialect, type SqliteExecutor } from '../../store/sqlite/sqliteDialect.ts'
import { SqliteFault } from '../../store/sqlite/sqliteFault.ts'
import { StatementRunner } from '../../store/sqlite/statementRunner.ts'
import type { Store } from '../../store/store.ts'
import type { StoreFault } from './acts.ts'
import type { VirtualClock } from './virtualClock.ts'

/** Memory, where the machine has a folder of it. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Folder with one migrated, empty database that every story begins with a copy of. */
/** A story has two databases at a time. Ten thousand stories left 22 GB behind before the older ones went. */
const filesKept = 4

export type StoreFolder = { newFile(): string; remove(): void }

export async function openStoreFolder(): Promise<StoreFolder> {
  const dir = mkdtempSync(join(place, 'chainboard-stories-'))
  const template = join(dir, 'template.db')
  const db = new DatabaseSync(template)
  const runner = new StatementRunner(db)
  const kysely = new Kysely<Schema>({ dialect: new SqliteDialect(plain(runner), 'immediate') })
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => migrationsFor('sqlite') } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  await kysely.destroy()
  let files = 0
  return {
    newFile: () => {
      files += 1
      const file = join(dir, `${files}.db`)
      for (const end of ['', '-wal', '-shm', '-journal']) rmSync(join(dir, `${files - filesKept}.db${end}`), { force: true })
      copyFileSync(template, file)
      return file
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

const plain = (runner: StatementRunner): SqliteExecutor => ({
  execute: async (sql, parameters) => runner.run(sql, parameters),
  close: async () => runner.close(),
})

/** What decides over one operation. `undefined`: it works. */
export type StoreFate = (side: 'read' | 'write', sql: string) => StoreFault | undefined

export type FaultyStoreParts = {
  readonly clock: VirtualClock
  readonly file: string
  readonly fate: StoreFate
  /** How long one operation of the writer takes. */
  readonly writeMs: () => number
  /** Before and after every operation: whether the process that asks is gone. */
  readonly isGone: (side: 'before' | 'after', sql: string) => boolean
  /** After every change that is there to stay; `alone` outside any transaction. */
  readonly onCommit: (alone: boolean) => void
}

export type FaultyStore = {
  readonly store: Store
  /** Ends the connections as the end of the process would: what is not committed is gone. */
  cut(): void
}

/** The real tables on a real SQLite, through a writer and a reader that fail when the story wants it. */
export function openFaultyStore(parts: FaultyStoreParts): FaultyStore {
  const writer = new DatabaseSync(parts.file)
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
  const reader = new DatabaseSync(parts.file, { readOnly: true })
  const writeRunner = new StatementRunner(writer)
  const readRunner = new StatementRunner(reader)
  const writeDb = createWriteDb(toExecutor(parts, 'write', writer, writeRunner))
  const readDb = createReadDb(toExecutor(parts, 'read', reader, readRunner))
  return {
    store: {
      engine: 'sqlite',
      read: readDb,
      readConsistently: (work) => readDb.transaction().execute(work),
      write: (work) => writeDb.transaction().execute(work),
      ping: async () => void (await sql`select 1`.execute(readDb)),
      close: async () => undefined,
    },
    cut: () => {
      for (const db of [writer, reader]) if (db.isOpen) db.close()
    },
  }
}

function toExecutor(parts: FaultyStoreParts, side: 'read' | 'write', db: DatabaseSync, runner: StatementRunner): SqliteExecutor {
  const { clock, fate, isGone, writeMs, onCommit } = parts
  /** Statements that wait for those before them, the one under way first. */
  const queue: (() => void)[] = []
  const begin = (): void => {
    const [work] = queue
    if (!work) return
    const end = () => {
      work()
      queue.shift()
      begin()
    }
    const waitMs = side === 'write' ? writeMs() : 0
    if (waitMs === 0) end()
    else clock.after(waitMs, end)
  }
  return {
    execute: (sql, parameters, within) =>
      new Promise((resolve, reject) => {
        if (isGone('before', sql)) return
        const work = () => {
          if (isGone('before', sql)) return
          try {
            const result = runWith(fate(side, sql), { sql, side, db, run: () => runner.run(sql, parameters, within), onCommit })
            if (!isGone('after', sql)) resolve(result)
          } catch (error) {
            if (!isGone('after', sql)) reject(error)
          }
        }
        queue.push(work)
        if (queue.length === 1) begin()
      }),
    close: async () => undefined,
  }
}

type Operation<T> = {
  readonly sql: string
  readonly side: 'read' | 'write'
  readonly db: DatabaseSync
  readonly run: () => T
  readonly onCommit: (alone: boolean) => void
}

function runWith<T>(fault: StoreFault | undefined, { sql, side, db, run, onCommit }: Operation<T>): T {
  const rollBack = () => {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
  const fail = (errcode: number, message: string) => new SqliteFault(message, errcode, db.isTransaction)
  const keep = (result: T) => {
    if (side === 'write' && !db.isTransaction && sql !== 'rollback') onCommit(sql !== 'commit')
    return result
  }
  switch (sql === 'rollback' && fault !== 'away' ? undefined : fault) {
    case undefined:
      return keep(run())
    case 'full':
      rollBack()
      throw fail(13, 'database or disk is full')
    case 'fullKept':
      throw fail(13, 'database or disk is full')
    case 'trulyFull':
      return keep(runInFullFile(db, run))
    case 'ioError':
      rollBack()
      throw fail(10, 'disk I/O error')
    case 'busy':
      throw fail(5, 'database is locked')
    case 'readOnly':
      throw fail(8, 'attempt to write a readonly database')
    case 'readError':
      throw fail(10, 'disk I/O error')
    case 'away':
      rollBack()
      throw fail(14, 'unable to open database file')
    case 'commitLost':
      keep(run())
      throw fail(10, 'disk I/O error')
  }
}

/** SQLite itself has no page left. What still fits into the pages that are there works. */
function runInFullFile<T>(db: DatabaseSync, run: () => T): T {
  const row = db.prepare('PRAGMA page_count').get() as { page_count: number }
  db.exec(`PRAGMA max_page_count = ${row.page_count}`)
  try {
    return run()
  } finally {
    db.exec('PRAGMA max_page_count = 1073741823')
  }
}
