import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { StoreReader } from './openReader.ts'
import type { Schema } from './schema.ts'

const int8Oid = 20

/** One connection that may only read, whose statements end by themselves and stay on one core of the database. */
export function openPostgresReader(databaseUrl: string, statementTimeoutMs: number): StoreReader {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 1,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementTimeoutMs,
    options: '-c max_parallel_workers_per_gather=0 -c default_transaction_read_only=on',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === int8Oid ? Number : types.getTypeParser(oid, format)),
    },
  })
  // An idle connection that the server drops is replaced by the pool; without a listener it would end the thread.
  pool.on('error', () => undefined)
  const read = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    engine: 'postgres',
    read,
    readConsistently: (work) => read.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    close: () => read.destroy(),
  }
}
