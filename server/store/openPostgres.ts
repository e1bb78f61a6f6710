import { findErrorCode } from '@chainboard/core'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type ClientBase, Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { endIfLost } from './endIfLost.ts'
import { type Watch, withFailures } from './failingDialect.ts'
import { createRequestGate } from './requestGate.ts'
import type { Schema } from './schema.ts'
import { createSilence, type Silence } from './silence.ts'
import type { Db, Store, StoreReader } from './store.ts'
import { toStoreFailure } from './toStoreFailure.ts'

const connectionsMax = 10
const connectTimeoutMs = 5_000
/** A connection whose other end is gone without a word answers nothing: a statement without an answer ends after this. */
const answerTimeoutMs = 60_000
const int8Oid = 20

/**
 * Limits of a request's statements, far below the minute after which its socket is closed. PostgreSQL ends what waits for a lock
 * or takes too long; a process of it that hangs ends nothing, so the last limit is kept here.
 */
const requestLimits = { lockMs: 5_000, statementMs: 7_500, answerMs: 8_000 }

/** A start that waits for a lock says nothing and serves nothing: it fails, and its supervisor tries again. */
const migrationLockMs = 5_000

/** PostgreSQL, over one pool for the server's own work and one for requests: neither waits for the other's connections. */
export function openPostgres(databaseUrl: string): Store {
  const silence = createSilence()
  const gate = createRequestGate(silence.ms)
  const { lockMs, statementMs, answerMs } = requestLimits
  const own = connect({ connectionString: databaseUrl, max: connectionsMax, query_timeout: answerTimeoutMs }, { silence })
  const requests = connect(
    {
      ...{ connectionString: databaseUrl, max: connectionsMax, query_timeout: answerMs },
      onConnect: (client) => setLimits(client, { lock_timeout: lockMs, statement_timeout: statementMs }),
    },
    { silence, gate },
  )
  return {
    ...toStore(own, silence),
    forRequests: toStore(requests, silence),
    close: async () => {
      await requests.destroy()
      await own.destroy()
    },
  }
}

function toStore(db: Db, silence: Silence): Store {
  return {
    ...toReader(db),
    silentMs: silence.ms,
    write: (work) => db.transaction().execute(work),
    ping: async () => void (await sql`select 1`.execute(db)),
  }
}

/** By statements: a PgBouncer in between refuses connections that begin with them. Milliseconds. */
async function setLimits(client: ClientBase, limits: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, ms] of Object.entries(limits)) await client.query('select set_config($1, $2, false)', [name, `${ms}`])
}

/** For changes of tables, which may take as long as they take, but wait for nobody's lock. */
export function openPostgresForMigration(databaseUrl: string): Db {
  return connect({
    ...{ connectionString: databaseUrl, max: 2 },
    onConnect: (client) => setLimits(client, { lock_timeout: migrationLockMs }),
  })
}

/** One connection that may only read, whose statements end by themselves and stay on one core of the database. */
export function openPostgresReader(databaseUrl: string, statementTimeoutMs: number): StoreReader {
  const options = '-c max_parallel_workers_per_gather=0 -c default_transaction_read_only=on'
  return toReader(connect({ connectionString: databaseUrl, max: 1, statement_timeout: statementTimeoutMs, options }))
}

/** A replica, which takes no writes, with the limits of requests. */
export function openPostgresReplica(databaseUrl: string): StoreReader {
  const { lockMs, statementMs, answerMs } = requestLimits
  return toReader(
    connect({
      ...{ connectionString: databaseUrl, max: connectionsMax, query_timeout: answerMs },
      onConnect: (client) => setLimits(client, { lock_timeout: lockMs, statement_timeout: statementMs }),
    }),
  )
}

/** `bigint` columns come back as numbers: block numbers and unix seconds are far below 2^53. */
function connect(config: PoolConfig, watch: Watch = {}): Kysely<Schema> {
  const pool = new Pool({
    ...config,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === int8Oid ? Number : types.getTypeParser(oid, format)),
    },
  })
  // A connection that the server drops is replaced by the pool. Without a listener it would end the process: the pool hears of
  // idle ones, the client itself of those in use.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    endAfterFailure(client, config)
  })
  return new Kysely<Schema>({ dialect: withFailures(new PostgresDialect({ pool }), toStoreFailure, watch) })
}

/**
 * What a session may go on to fail with when its settings were changed, or its server is not the one that takes writes any more:
 * read-only; a statement that took too long; no such schema, table, column or right.
 */
const sessionStates = new Set(['25006', '57014', '3F000', '42P01', '42703', '42501'])

/** A statement that has no answer after so long is asked about on another connection, and again after as long. */
const lostAfterMs = 10_000

/**
 * Ends a client whose next statement would fare no better, so that the pool opens another one. After a statement without an answer:
 * that may still come, and the pool's next user would take it for theirs.
 */
function endAfterFailure(client: PoolClient, config: PoolConfig): void {
  const { query } = client
  const watched = async (...args: unknown[]): Promise<unknown> => {
    const timer = setInterval(() => void endIfLost(client, config), lostAfterMs)
    try {
      return await Reflect.apply(query, client, args)
    } catch (error) {
      if (hasLostSession(error)) void client.end().catch(() => undefined)
      throw error
    } finally {
      clearInterval(timer)
    }
  }
  Object.assign(client, { query: watched })
}

function hasLostSession(error: unknown): boolean {
  if (error instanceof Error && error.message.startsWith('Query read timeout')) return true
  return sessionStates.has(findErrorCode(error) ?? '')
}

function toReader(db: Kysely<Schema>): StoreReader {
  return {
    engine: 'postgres',
    read: db,
    readConsistently: (work) => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    close: () => db.destroy(),
  }
}
