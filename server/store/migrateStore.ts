import { Failure } from '@chainboard/core'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { migrationsFor } from './migrations/index.ts'
import type { Db, Store, Tx } from './store.ts'
import { listTables } from './tableRows.ts'
import { currentTables, tableKinds } from './tables.ts'

const record = 'kysely_migration'
const lock = 'kysely_migration_lock'

/** Tables in which the migrations are recorded. */
export const recordTables: readonly string[] = [record, lock]

/** Names of the migrations that this program knows, in order. */
export const knownMigrations: readonly string[] = Object.keys(migrationsFor('sqlite'))

/** Names of the migrations that were done, in order; none where there is no record. */
export async function readMigrations(db: Db | Tx, engine: Store['engine']): Promise<readonly string[]> {
  if (!(await listTables(db, engine)).has(record)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(record)}`.execute(db)
  return rows.map(({ name }) => name).sort()
}

/**
 * Whether this program can work with data after these migrations.
 * @returns Failure `store-foreign` when a newer program wrote it, or when the record has a gap
 */
export function findForeignMigration(done: readonly string[], known: readonly string[]): Failure | undefined {
  const newer = done.findLast((name) => !known.includes(name))
  if (newer)
    return new Failure(
      'store-foreign',
      `The data was written by a newer version of Chainboard (migration ${newer}): start that version again, or restore a backup made before the upgrade.`,
    )
  const missing = known.slice(0, done.length).find((name, i) => done[i] !== name)
  if (missing)
    return new Failure(
      'store-foreign',
      `The record of migrations in table ${record} lacks ${missing}, although later ones are in it: restore a backup.`,
    )
  return undefined
}

/**
 * Brings the tables up to date, in one transaction: a process that is killed in it leaves them as they were.
 * @param migrations others than all of this program's: for tests, and for rows of an older program
 * @throws Failure `store-foreign`, `store-damaged`
 */
export async function migrateStore(
  db: Db | Tx,
  engine: Store['engine'],
  migrations: Readonly<Record<string, Migration>> = migrationsFor(engine),
): Promise<void> {
  const done = await readMigrations(db, engine)
  const foreign = findForeignMigration(done, Object.keys(migrations))
  if (foreign) throw foreign
  if (done.length < Object.keys(migrations).length) {
    await createRecord(db)
    // Older migrations meet columns as they were then.
    const { error } = await new Migrator({
      db: db.withoutPlugins(),
      provider: { getMigrations: async () => migrations },
    }).migrateToLatest()
    if (error) throw toForeign(error) ?? error
  }
}

/** @throws Failure `store-damaged` when a table is missing although the record has its migration */
export async function checkTables(db: Db | Tx, engine: Store['engine']): Promise<void> {
  const found = await listTables(db, engine)
  const missing = currentTables.filter((table) => !found.has(table))
  if (missing.length === 0) return
  throw new Failure(
    'store-damaged',
    `The database has no table ${missing.join(', ')}, although it was made by a migration: restore a backup.`,
  )
}

/** What a start reads beside the index. Without the other tables, those of accounts and keys, the site answers all the same. */
const startTables = ['credits', 'boost_payments', 'boost_cursor', 'pepper_mark', record]

/** Finds out before anything else whether a start can read what it needs: a session that was forgotten may have locked it. */
export async function checkLocks(db: Db, engine: Store['engine']): Promise<void> {
  if (engine === 'sqlite') return
  const index = Object.entries(tableKinds).filter(([table, kind]) => kind === 'index' && currentTables.includes(table))
  const tables = sql.join([...index.map(([table]) => table), ...startTables].map((table) => sql.table(table)))
  await db.transaction().execute((tx) => sql`lock table ${tables} in access share mode`.execute(tx))
}

/** Kysely takes a table of that name in any schema of a PostgreSQL for its own; ours are in the current one. */
async function createRecord(db: Db | Tx): Promise<void> {
  await db.schema
    .createTable(record)
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (c) => c.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable(lock)
    .ifNotExists()
    .addColumn('id', 'varchar(255)', (c) => c.notNull().primaryKey())
    .addColumn('is_locked', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}

/** A migration that finds its table already there: the record was lost, or the tables are another program's. */
function toForeign(error: unknown): Failure | undefined {
  const message = error instanceof Error ? error.message : ''
  const name = /(?:table|index|relation) "?([a-z0-9_]+)"? already exists/.exec(message)?.[1]
  if (!name) return undefined
  return new Failure(
    'store-foreign',
    `The database already has ${name}, and no record of a migration that made it (table ${record}): restore a backup, or use an empty database.`,
    { cause: error },
  )
}
