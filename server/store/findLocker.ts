import { Client } from 'pg'

/** A session of PostgreSQL that holds locks. Without the text of its statement, which may hold people's data. */
export type Locker = { readonly pid: number; readonly application: string; readonly state: string; readonly since: string }

const answerMs = 5_000

/**
 * The session that most likely keeps others waiting: of those with locks on tables of this database the one with the strongest,
 * and of these the one that began its transaction first.
 * @returns undefined when none is found, or PostgreSQL does not say
 */
export async function findLocker(databaseUrl: string): Promise<Locker | undefined> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: answerMs, query_timeout: answerMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<Locker>(
      `select a.pid, coalesce(nullif(a.application_name, ''), 'without a name') as application,
              coalesce(a.state, 'state unknown') as state,
              coalesce(to_char(a.xact_start at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'unknown') as since
         from pg_locks l join pg_stat_activity a on a.pid = l.pid join pg_database d on d.oid = l.database
        where l.locktype = 'relation' and l.granted and l.pid <> pg_backend_pid() and d.datname = current_database()
        order by l.mode = 'AccessExclusiveLock' desc, l.mode <> 'AccessShareLock' desc, a.xact_start
        limit 1`,
    )
    return rows[0]
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}
