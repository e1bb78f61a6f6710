import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure, findErrorCode } from '@chainboard/core'
import { describeOpenTrouble, isLocked } from './describeOpenTrouble.ts'
import type { Locker } from './findLocker.ts'
import { passEpoch, toLeadStore } from './leadership.ts'
import { type LockOptions, lockFolder, type StoreLock } from './lockFolder.ts'
import { checkLocks, checkTables, findForeignMigration, knownMigrations, migrateStore, readMigrations } from './migrateStore.ts'
import { openSqlite, openSqliteReader } from './sqlite/openSqlite.ts'
import type { Db, Store, StoreReader } from './store.ts'
import type { StoreLocation } from './storeLocation.ts'
import { findDriverError } from './toStoreFailure.ts'

/**
 * Opens the store for the only process that may write the index: the server on a file, or a tool. Brings its tables up to date. Closing it
 * lets the next one in. Servers on a PostgreSQL elect one of them instead (`electLeader.ts`).
 * @param onLost called when this server must end: another one was there first when the database came back, or only closing saves what is written
 * @throws Failure `store-in-use`, and those of `openStore`
 */
export async function openServerStore(location: StoreLocation, onLost: (failure: Failure) => void): Promise<Store> {
  let lost: Failure | undefined
  const lose = (failure: Failure) => {
    lost = failure
    onLost(failure)
  }
  const lock = await lockStore(location, { isAlone: false, onLost: lose })
  try {
    const opened = await openStore(location, lose)
    const store = opened.engine === 'postgres' ? await fence(opened, lose) : opened
    return {
      ...store,
      // Until the server has ended, which takes as long as its answers under way, another one may write.
      write: (work, options) => (lost ? Promise.reject(lost) : store.write(work, options)),
      close: () => store.close().finally(lock.release),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** The lock of a tool may be lost unseen, as that of a leader: what it writes is written in its epoch, or not at all. */
async function fence(store: Store, lose: (failure: Failure) => void): Promise<Store> {
  const epoch = await store.write(passEpoch)
  return toLeadStore(store, epoch, () => lose(overtaken))
}

const overtaken = new Failure(
  'store-in-use',
  'A server now leads on this database, so this command has stopped writing. Run it again.',
)

/**
 * Opens the store and brings its tables up to date.
 * @throws Failure `store-…` in a sentence for the operator; nothing is half migrated
 */
export function openStore(location: StoreLocation, onLost?: (failure: Failure) => void): Promise<Store> {
  const prepare: Prepare = async (db, engine) => {
    const migrate = () => migrateStore(db, engine)
    if ('databaseUrl' in location) await (await import('./migrateAlone.ts')).migrateAlone(location.databaseUrl, db, migrate)
    else await migrate()
    await checkTables(db, engine)
    await checkLocks(db, engine)
  }
  return openWith(location, prepare, onLost)
}

/**
 * Opens the store for a tool, beside a server or without one. No table is changed, so that a tool of a new version cannot
 * migrate the data under a running server of the old one.
 * @throws Failure `store-…`; `store-foreign` when its tables are not those of this version
 */
export async function openVisitorStore(location: StoreLocation): Promise<Store> {
  if ('file' in location) checkFile(location.file)
  return openWith(location, async (db, engine) => {
    const done = await readMigrations(db, engine)
    const foreign = findForeignMigration(done, knownMigrations)
    if (foreign) throw foreign
    if (done.length < knownMigrations.length) throw outdated(done.at(-1))
  })
}

/**
 * Opens the store for a backup: nothing is written, and data of an older version is read as it is.
 * @throws Failure `store-…`
 */
export function openBackupReader(location: StoreLocation): Promise<StoreReader> {
  return explained(location, async () => {
    if ('file' in location) {
      checkFile(location.file)
      return openSqliteReader(location.file)
    }
    const { openPostgres } = await import('./openPostgres.ts')
    const store = openPostgres(location.databaseUrl)
    // The first connection is made with the first query.
    await readMigrations(store.read, 'postgres').catch((error: unknown) => store.close().then(() => Promise.reject(error)))
    return store
  })
}

/** @throws Failure `store-in-use`, or why the place cannot be used at all */
export function lockStore(location: StoreLocation, options: LockOptions): Promise<StoreLock> {
  return explained(location, async () => {
    if ('file' in location) return lockFolder(dirname(location.file))
    // Loaded when wanted only: most servers have no PostgreSQL, and every megabyte of theirs counts.
    const { lockDatabase } = await import('./lockDatabase.ts')
    return lockDatabase(location.databaseUrl, options)
  })
}

/** A replica of a PostgreSQL. It is not queried yet: if it is unreachable, the first read reports that. */
export async function openReplica(databaseUrl: string): Promise<StoreReader> {
  const { openPostgresReplica } = await import('./openPostgres.ts')
  return openPostgresReplica(databaseUrl)
}

type Prepare = (db: Db, engine: Store['engine']) => Promise<void>

function openWith(location: StoreLocation, prepare: Prepare, onLost?: (failure: Failure) => void): Promise<Store> {
  return explained(location, async () => {
    if ('file' in location) return openSqlite(location.file, (db) => prepare(db, 'sqlite'), onLost)
    const { openPostgres, openPostgresForMigration } = await import('./openPostgres.ts')
    const db = openPostgresForMigration(location.databaseUrl)
    await prepare(db, 'postgres').finally(() => db.destroy())
    return openPostgres(location.databaseUrl)
  })
}

/**
 * The newest rows of a database that was closed while another process read it: SQLite then leaves them in a file of their own.
 * `undefined` when the database's file has all.
 */
export function findLeftWal(location: StoreLocation): string | undefined {
  if (!('file' in location)) return undefined
  const wal = `${location.file}-wal`
  try {
    return statSync(wal).size > 0 ? wal : undefined
  } catch {
    // It is gone, or the folder cannot be reached any more.
    return undefined
  }
}

/** Does something with a store, and explains why it does not work in a sentence for the operator. */
export async function explained<T>(location: StoreLocation, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const locker = 'databaseUrl' in location && isLocked(error) ? await findLockerOf(location.databaseUrl) : undefined
    throw describeOpenTrouble(error, location, locker)
  }
}

/** The same for work that is more than a store's: whatever else fails is thrown as it is. */
export async function storeExplained<T>(location: StoreLocation, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (findDriverError(error) === error) throw error
    return explained(location, () => Promise.reject(error))
  }
}

async function findLockerOf(databaseUrl: string): Promise<Locker | undefined> {
  const { findLocker } = await import('./findLocker.ts')
  return findLocker(databaseUrl)
}

/** @throws Failure `store-unavailable` where no database is, or none can be reached */
export function checkFile(file: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })) return
  } catch (error) {
    throw new Failure('store-unavailable', `${file} cannot be read (${findErrorCode(error)}): run this as the server's user.`)
  }
  throw new Failure('store-unavailable', `Nothing is stored at ${file} yet: run npm start first.`)
}

function outdated(newest: string | undefined): Failure {
  const found = newest ? `ends with migration ${newest}` : 'is empty'
  return new Failure(
    'store-foreign',
    `The data ${found}, this version's with ${knownMigrations.at(-1)}: start the server once, it upgrades the data.`,
  )
}
