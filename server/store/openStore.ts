import { Migrator } from 'kysely/migration'
import { migrationsFor } from './migrations/index.ts'
import { openSqlite } from './sqlite/openSqlite.ts'
import type { Db, Store } from './store.ts'

/** Where the data lives: a `postgres://…` URL, or the path of an SQLite file that is made when missing. */
export type StoreLocation = { readonly databaseUrl: string } | { readonly file: string }

/**
 * Opens the store and brings its tables up to date.
 * @throws when the database cannot be reached or a migration fails; nothing is half migrated
 */
export async function openStore(location: StoreLocation): Promise<Store> {
  if ('file' in location) return openSqlite(location.file, (db) => migrate(db, 'sqlite'))
  // Loaded when wanted only: most servers have no PostgreSQL, and every megabyte of theirs counts.
  const { openPostgres, openPostgresForMigration } = await import('./openPostgres.ts')
  const db = openPostgresForMigration(location.databaseUrl)
  await migrate(db, 'postgres').finally(() => db.destroy())
  return openPostgres(location.databaseUrl)
}

async function migrate(db: Db, engine: Store['engine']): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrationsFor(engine) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
