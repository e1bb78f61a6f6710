import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import type { StoreLocation } from './openStore.ts'
import type { Schema } from './schema.ts'
import { SqliteDialect } from './sqlite/sqliteDialect.ts'
import { StatementRunner } from './sqlite/statementRunner.ts'
import type { Store } from './store.ts'

/** A store that can be read and nothing else; its tables are already there. */
export type StoreReader = Pick<Store, 'engine' | 'read' | 'readConsistently' | 'close'>

const busyTimeoutMs = 5_000

/**
 * Opens one more reading connection to a store that is already open elsewhere: for a thread of its own.
 * @param statementTimeoutMs PostgreSQL ends a statement after it; SQLite cannot, so what is asked there must be small
 * @throws when the database is not there
 */
export async function openReader(location: StoreLocation, statementTimeoutMs: number): Promise<StoreReader> {
  if ('file' in location) return openSqliteReader(location.file)
  const { openPostgresReader } = await import('./openPostgresReader.ts')
  return openPostgresReader(location.databaseUrl, statementTimeoutMs)
}

function openSqliteReader(file: string): StoreReader {
  const runner = new StatementRunner(new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs }))
  const read = new Kysely<Schema>({
    dialect: new SqliteDialect(
      { execute: async (sql, parameters) => runner.run(sql, parameters), close: async () => runner.close() },
      'deferred',
    ),
  })
  return {
    engine: 'sqlite',
    read,
    readConsistently: (work) => read.transaction().execute(work),
    close: () => read.destroy(),
  }
}
