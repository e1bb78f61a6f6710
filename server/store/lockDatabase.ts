import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { Failure } from '@chainboard/core'
import { Client } from 'pg'
import { lockRetryMs, lockWaitMs, type StoreLock } from './lockFolder.ts'

/** Any number will do, as long as every version has the same: PostgreSQL keeps it for each database apart. */
const lockKey = '4853314791062309'
const connectTimeoutMs = 5_000
const retakeEveryMs = 1_000
/** How often the lock's connection is asked whether it is there: a way that forgets idle connections tells neither end. */
const beatEveryMs = 5_000
const hostLettersMax = 24

type Holder = { readonly pid: number; readonly name: string; readonly since: string }

/**
 * Makes this process the only server on a PostgreSQL database, by an advisory lock on a connection of its own. When that
 * connection is lost, it is made again and the lock is taken back.
 * @param onLost called when another server has the lock by then
 * @throws Failure `store-in-use` when another process has it
 */
export async function lockDatabase(databaseUrl: string, onLost: (failure: Failure) => void): Promise<StoreLock> {
  // PostgreSQL cuts names after 63 bytes.
  const name = `chainboard ${hostname().slice(0, hostLettersMax)} ${process.pid} ${randomBytes(4).toString('hex')}`
  const ending = new AbortController()
  let client: Client | undefined
  let retaking: Promise<void> | undefined

  const take = async (): Promise<Holder | undefined> => {
    const next = await connect(databaseUrl, name)
    const holder = await tryLock(next).catch(async (error: unknown) => {
      await end(next)
      throw error
    })
    if (holder) {
      // Our own lost connection, which the database has not noticed yet.
      if (holder.name === name) await next.query('select pg_terminate_backend($1)', [holder.pid]).catch(() => undefined)
      await end(next)
      return holder
    }
    client = next
    const gone = new AbortController()
    next.once('end', () => {
      gone.abort()
      client = undefined
      if (!ending.signal.aborted) retaking = retake()
    })
    void beat(next, AbortSignal.any([gone.signal, ending.signal]))
    return undefined
  }
  const beat = async (held: Client, signal: AbortSignal) => {
    while (!signal.aborted) {
      await setTimeout(beatEveryMs, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await held.query('select 1').catch(() => end(held))
    }
  }
  const retake = async () => {
    while (!ending.signal.aborted) {
      const holder = await take().catch(() => 'away' as const)
      if (holder === undefined) return
      if (holder !== 'away' && holder.name !== name) return onLost(inUse(databaseUrl, holder))
      await setTimeout(retakeEveryMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  const until = performance.now() + lockWaitMs
  for (let holder = await take(); holder; holder = await take()) {
    if (performance.now() > until) throw inUse(databaseUrl, holder)
    await setTimeout(lockRetryMs)
  }
  return {
    release: async () => {
      ending.abort()
      await retaking
      if (client) await end(client)
    },
  }
}

async function connect(connectionString: string, name: string): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs, query_timeout: connectTimeoutMs })
  // Without a listener, a database that restarts would end the process. What follows is `end`.
  client.on('error', () => undefined)
  await client.connect()
  // So that the lock of a machine that lost its power is free after 25 s, not after PostgreSQL's two hours.
  const settings = { application_name: name, tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' }
  for (const [setting, value] of Object.entries(settings)) {
    await client.query('select set_config($1, $2, false)', [setting, value])
  }
  return client
}

async function end(client: Client): Promise<void> {
  await client.end().catch(() => undefined)
}

/** @returns who has the lock, when it is not this connection now */
async function tryLock(client: Client): Promise<Holder | undefined> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [lockKey])
  if (rows[0]?.got) return undefined
  const holders = await client.query<Holder>(
    `select a.pid, a.application_name as name, to_char(a.backend_start at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
       from pg_locks l join pg_stat_activity a on a.pid = l.pid join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and d.datname = current_database()
        and ((l.classid::bigint << 32) | l.objid::bigint) = $1`,
    [lockKey],
  )
  return holders.rows[0] ?? { pid: 0, name: 'unknown', since: 'just now' }
}

function inUse(databaseUrl: string, { name, since }: Holder): Failure {
  const [, host = 'unknown', pid = 'unknown'] = /^chainboard (.+) (\d+) [0-9a-f]{8}$/.exec(name) ?? []
  const database = URL.parse(databaseUrl.replace('@/', '@localhost/'))?.pathname.slice(1)
  return new Failure(
    'store-in-use',
    `Another Chainboard server uses the database "${database}" (pid ${pid} on ${host}, since ${since}). Stop that one: a database can serve only one server.`,
  )
}
