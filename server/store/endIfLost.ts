import { Client, type ClientBase, type PoolClient, type PoolConfig } from 'pg'

const askMsMax = 5_000

/**
 * Ends a client whose answer was lost, for example by a firewall that forgot the connection, or in a failover. It asks the database on a
 * second connection whether that session still works on its statement. If it does, the client keeps waiting. It also keeps waiting when the
 * database cannot be reached, or when a pooler is in between, whose sessions are not ours.
 */
export async function endIfLost(client: PoolClient, { connectionString }: PoolConfig): Promise<void> {
  const other = new Client({ connectionString, connectionTimeoutMillis: askMsMax, query_timeout: askMsMax })
  other.on('error', () => undefined)
  try {
    await other.connect()
    const { rows } = await other.query<{ own: number; state: string | null }>(
      'select pg_backend_pid() as own, (select state from pg_stat_activity where pid = $1) as state',
      [sessionOf(client)],
    )
    const [found] = rows
    const isDirect = found?.own === sessionOf(other)
    if (isDirect && found?.state !== 'active') await client.end()
  } catch {
    // The database cannot be reached. The statement has its own time limit.
  } finally {
    await other.end().catch(() => undefined)
  }
}

/** The session's id, which the client has from PostgreSQL when it connects; its types do not name it. */
function sessionOf(client: ClientBase): unknown {
  return 'processID' in client ? client.processID : undefined
}
