import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { Failure } from '@chainboard/core'
import { Client } from 'pg'

/** Any number will do, as long as every version has the same: PostgreSQL keeps it for each database apart. Who has it may write the index. */
export const leadKey = '4853314791062309'
/** Every server shares it, so that who needs the database alone finds out. */
export const presenceKey = '4853314791062310'
/** Who has it changes the tables: nobody leads meanwhile. */
export const migrateKey = '4853314791062311'
const connectTimeoutMs = 5_000
const hostLettersMax = 24

/** Who has a lock, as `pg_stat_activity` names its session. */
export type Holder = { readonly pid: number; readonly name: string; readonly since: string }

/** What a session of this process is called in `pg_stat_activity`: another name each time. */
export function makeSessionName(): string {
  // PostgreSQL cuts names after 63 bytes.
  return `chainboard ${hostname().slice(0, hostLettersMax)} ${process.pid} ${randomBytes(4).toString('hex')}`
}

/**
 * A connection of its own for locks that last as long as it does.
 * @param settings of the session, besides its name; those that this PostgreSQL does not know are left out
 */
export async function connectForLocks(
  connectionString: string,
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs, query_timeout: connectTimeoutMs })
  // Without a listener, a database that restarts would end the process. What follows is `end`.
  client.on('error', () => undefined)
  await client.connect()
  // So that the lock of a machine that lost its power is free after 25 s, not after PostgreSQL's two hours.
  const keepalives = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' }
  for (const [setting, value] of Object.entries({ application_name: name, ...keepalives, ...settings })) {
    await client.query('select set_config(name, $2, false) from pg_settings where name = $1', [setting, value])
  }
  return client
}

/** Never throws: a connection that is broken has ended. */
export async function endConnection(client: Client): Promise<void> {
  await client.end().catch(() => undefined)
}

/** @returns who has the lock, when it is not this connection now */
export async function tryLock(client: Client, key: string): Promise<Holder | undefined> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [key])
  if (rows[0]?.got) return undefined
  const holders = await client.query<Holder>(
    `select a.pid, a.application_name as name, to_char(a.backend_start at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
       from pg_locks l join pg_stat_activity a on a.pid = l.pid join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and d.datname = current_database()
        and ((l.classid::bigint << 32) | l.objid::bigint) = $1`,
    [key],
  )
  return holders.rows[0] ?? { pid: 0, name: 'unknown', since: 'just now' }
}

/** Why a program that needs the database for itself cannot have it. */
export function inUse(databaseUrl: string, { name, since }: Holder): Failure {
  const [, host = 'unknown', pid = 'unknown'] = /^chainboard (.+) (\d+) [0-9a-f]{8}$/.exec(name) ?? []
  const database = URL.parse(databaseUrl.replace('@/', '@localhost/'))?.pathname.slice(1)
  return new Failure(
    'store-in-use',
    `Another Chainboard server uses the database "${database}" (pid ${pid} on ${host}, since ${since}). Stop all servers on it first.`,
  )
}
