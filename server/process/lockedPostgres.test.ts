import { describe, expect, it, onTestFinished } from 'vitest'
import { lockTables } from '../testing/lockTables.ts'
import { startServerProcess } from '../testing/serverProcess.ts'
import { toStoreEnv } from '../testing/storeEnv.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'

const stores = createTempStores()

async function locateServer() {
  const { databaseUrl } = (await stores.locateNew('postgres')) as { databaseUrl: string }
  const env = { ...toStoreEnv({ databaseUrl }), DATA_DIR: stores.dir, RPC_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' }
  return { databaseUrl, env }
}

const secondsSince = (startMs: number) => (performance.now() - startMs) / 1_000

describe.runIf(engines.includes('postgres'))('tables of PostgreSQL that a forgotten session has locked', () => {
  it('cost whoever registers seconds, and a sentence', async () => {
    const { databaseUrl, env } = await locateServer()
    // Every start but the first one finds the pepper there.
    const first = startServerProcess(env)
    await first.listening
    first.child.kill('SIGTERM')
    await first.ended
    // A start needs no users.
    onTestFinished(await lockTables(databaseUrl, ['users', 'registration_days']))
    const server = startServerProcess(env)
    const url = await server.listening
    const startMs = performance.now()
    const body = JSON.stringify({ username: 'ann', pin: '8027' })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/users`, { method: 'POST', headers, body })
    expect(secondsSince(startMs)).toBeLessThan(8)
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '5',
      { error: 'Another session has locked tables of the database' },
    ])
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  it.each(['kysely_migration', 'sync_cursor'])('keep a server from starting, which says who it is: %s', async (table) => {
    const { databaseUrl, env } = await locateServer()
    onTestFinished(await lockTables(databaseUrl, [table]))
    const startMs = performance.now()
    const server = startServerProcess(env)
    expect(await server.ended).toBe(2)
    expect(secondsSince(startMs)).toBeLessThan(15)
    const { host, pathname } = new URL(databaseUrl)
    expect(server.output()).toMatch(
      new RegExp(
        `^Chainboard cannot start: DATABASE_URL: another session has locked tables of the database "${pathname.slice(1)}" at ${host} \\(pid \\d+, forgotten-psql, idle in transaction, since 20.*Z\\)\\. End it, with select pg_terminate_backend\\(\\d+\\), and start again\\.\n$`,
      ),
    )
  })
})
