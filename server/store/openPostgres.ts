import { Kysely, PostgresDialect } from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import type { Schema } from './schema.ts'
import type { Store, StoreReader } from './store.ts'

const connectionsMax = 10
const connectTimeoutMs = 10_000
const int8Oid = 20

/** PostgreSQL, over a pool. */
export function openPostgres(databaseUrl: string): Store {
  const db = connect({ connectionString: databaseUrl, max: connectionsMax })
  return { ...toReader(db), write: (work) => db.transaction().execute(work) }
}

/** One connection that may only read, whose statements end by themselves and stay on one core of the database. */
export function openPostgresReader(databaseUrl: string, statementTimeoutMs: number): StoreReader {
  const options = '-c max_parallel_workers_per_gather=0 -c default_transaction_read_only=on'
  return toReader(connect({ connectionString: databaseUrl, max: 1, statement_timeout: statementTimeoutMs, options }))
}

/** `bigint` columns come back as numbers: block numbers and unix seconds are far below 2^53. */
function connect(config: PoolConfig): Kysely<Schema> {
  const pool = new Pool({
    ...config,
    connectionTimeoutMillis: connectTimeoutMs,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === int8Oid ? Number : types.getTypeParser(oid, format)),
    },
  })
  // An idle connection that the server drops is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

function toReader(db: Kysely<Schema>): StoreReader {
  return {
    engine: 'postgres',
    read: db,
    readConsistently: (work) => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    close: () => db.destroy(),
  }
}
