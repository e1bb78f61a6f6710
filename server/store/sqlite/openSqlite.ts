import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Failure } from '@chainboard/core'
import { Kysely, sql } from 'kysely'
import { withFailures } from '../failingDialect.ts'
import { makeFolder } from '../makeFolder.ts'
import type { Schema } from '../schema.ts'
import type { Db, Store, StoreReader } from '../store.ts'
import { toStoreFailure } from '../toStoreFailure.ts'
import { guardTransactions } from './guardTransactions.ts'
import { packedQueries } from './packedQueries.ts'
import { refuseWhileLocked } from './refuseWhileLocked.ts'
import { createSameFile } from './sameFile.ts'
import { SqliteDialect, type SqliteExecutor } from './sqliteDialect.ts'
import { StatementRunner } from './statementRunner.ts'
import { startWriter } from './writerThread.ts'

const busyTimeoutMs = 5_000

/**
 * SQLite in WAL mode. Writes run in a worker, so that a commit's fdatasync never holds up a request; reads run here, on a
 * connection of their own that cannot write.
 * @param onLost called when the store has to be closed for what is written not to be lost
 */
export async function openSqlite(
  file: string,
  migrate: (db: Db) => Promise<void>,
  onLost: (failure: Failure) => void = () => undefined,
): Promise<Store> {
  makeFolder(dirname(file))
  const writer = refuseWhileLocked(startWriter(file, busyTimeoutMs))
  const writeDb = createWriteDb(writer)
  try {
    await migrate(writeDb)
  } catch (error) {
    await writeDb.destroy()
    throw error
  }
  const reader = openSqliteReader(file)
  const sameFile = createSameFile(file, onLost)
  const setCommit = createCommitSwitch()
  let isClosing = false
  // SQLite itself removes what it keeps beside the file.
  const checkFile = () => {
    if (!isClosing) sameFile()
  }
  return {
    ...reader,
    write: async (work, { asyncCommit = false } = {}) => {
      checkFile()
      return writeDb.connection().execute(async (db) => {
        await setCommit(db, asyncCommit)
        return db.transaction().execute(work)
      })
    },
    ping: async () => {
      checkFile()
      await sql`select 1`.execute(reader.read)
    },
    close: async () => {
      isClosing = true
      // The writer last: SQLite then writes the WAL into the file, and removes it. A reader could not.
      await reader.close()
      await writeDb.destroy()
    },
  }
}

/** SQLite takes it between transactions only. A connection that was opened again waits for the disk. */
function createCommitSwitch(): (db: Db, isAsync: boolean) => Promise<void> {
  let isNow = false
  return async (db, isAsync) => {
    if (isAsync === isNow) return
    await sql.raw(`pragma synchronous = ${isAsync ? 'normal' : 'full'}`).execute(db)
    isNow = isAsync
  }
}

/**
 * Connections that cannot write, used on the thread that asks. One is for several reads of one state, which may be long: between
 * their statements others have their turn, with single reads on the other connection.
 * @throws when the file is not there
 */
export function openSqliteReader(file: string): StoreReader {
  const [single, consistent] = [openReading(file, async () => undefined), openReading(file, () => setImmediate())]
  return {
    engine: 'sqlite',
    read: single,
    readConsistently: (work) => consistent.transaction().execute(work),
    close: async () => {
      await consistent.destroy()
      await single.destroy()
    },
  }
}

/** @param before each statement */
function openReading(file: string, before: () => Promise<void>): Kysely<Schema> {
  const runner = new StatementRunner(new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs }))
  return createReadDb({
    execute: async (sql, parameters) => {
      await before()
      return runner.run(sql, parameters)
    },
    close: async () => runner.close(),
  })
}

/** A connection for transactions that write, one at a time. */
export function createWriteDb(executor: SqliteExecutor): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: withFailures(new SqliteDialect(guardTransactions(executor), 'immediate'), toStoreFailure),
    plugins: [packedQueries],
  })
}

/** A connection that reads. */
export function createReadDb(executor: SqliteExecutor): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: withFailures(new SqliteDialect(executor, 'deferred'), toStoreFailure),
    plugins: [packedQueries],
  })
}
