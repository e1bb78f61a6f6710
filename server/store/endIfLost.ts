import { Client, type PoolClient, type PoolConfig } from 'pg'

const askMsMax = 5_000

/**
 * Ends a client whose answer was lost on the way, as behind a firewall that forgot the connection or after a failover: by another connection,
 * the database does not work on its statement, or does not have the session. A long statement goes on, and so does one while the database is
 * away, or behind a pooler, which has sessions of its own.
 */
export async function endIfLost(client: PoolClient, { connectionString }: PoolConfig): Promise<void> {
  const { processID } = client as PoolClient & { readonly processID?: number | null }
  const other = new Client({ connectionString, connectionTimeoutMillis: askMsMax, query_timeout: askMsMax })
  other.on('error', () => undefined)
  try {
    await other.connect()
    const { rows } = await other.query<{ own: number; state: string | null }>(
      'select pg_backend_pid() as own, (select state from pg_stat_activity where pid = $1) as state',
      [processID],
    )
    const [found] = rows
    const isDirect = found?.own === (other as Client & { readonly processID?: number | null }).processID
    if (isDirect && found?.state !== 'active') await client.end()
  } catch {
    // The database is away: whoever waits has limits of their own.
  } finally {
    await other.end().catch(() => undefined)
  }
}
