import { openSqliteReader } from './sqlite/openSqlite.ts'
import type { StoreReader } from './store.ts'
import type { StoreLocation } from './storeLocation.ts'

/**
 * Opens one more reading connection to a store that is already open elsewhere: for a thread of its own.
 * @param statementTimeoutMs PostgreSQL ends a statement after it; SQLite cannot, so what is asked there must be small
 * @throws when the database is not there
 */
export async function openReader(location: StoreLocation, statementTimeoutMs: number): Promise<StoreReader> {
  if ('file' in location) return openSqliteReader(location.file)
  const { openPostgresReader } = await import('./openPostgres.ts')
  return openPostgresReader(location.databaseUrl, statementTimeoutMs)
}
