import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'

const stores = createTempStores()
const soon = { timeout: 10_000, interval: 5 }

it.runIf(engines.includes('postgres'))('a PostgreSQL that hangs is silent for longer and longer, until it answers', async () => {
  const store = await stores.openNew('postgres')
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.read)
  const pid = Number(rows[0]?.pid)
  expect(store.silentMs?.()).toBe(0)
  process.kill(pid, 'SIGSTOP')
  try {
    const asked = sql<{ one: number }>`select 1 as one`.execute(store.read)
    await expect.poll(() => store.silentMs?.() ?? 0, soon).toBeGreaterThan(200)
    process.kill(pid, 'SIGCONT')
    expect((await asked).rows).toEqual([{ one: 1 }])
    expect(store.silentMs?.()).toBe(0)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})
