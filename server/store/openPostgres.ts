import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Schema } from './schema.ts'
import type { Store } from './store.ts'

const connectionsMax = 10
const int8Oid = 20

/** PostgreSQL, over a pool. `bigint` columns come back as numbers: block numbers and unix seconds are far below 2^53. */
export function openPostgres(databaseUrl: string): Store {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: connectionsMax,
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === int8Oid ? Number : types.getTypeParser(oid, format)),
    },
  })
  // An idle connection that the server drops is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    engine: 'postgres',
    read: db,
    readConsistently: (work) => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    write: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  }
}
