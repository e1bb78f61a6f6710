import { Client } from 'pg'

/** What the session is called in `pg_stat_activity`. */
export const lockerName = 'forgotten-psql'

/**
 * Locks tables of a PostgreSQL as a session does that somebody forgot in the middle of a transaction.
 * @returns ends the session; may be called twice
 */
export async function lockTables(databaseUrl: string, tables: readonly string[]): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl, application_name: lockerName })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`begin; lock table ${tables.join(', ')} in access exclusive mode`)
  return () => client.end()
}
