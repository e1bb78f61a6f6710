import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServerProcess } from '../testing/serverProcess.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()

it('a server that finds users without their pepper says what is missing and where, and exits with 2', {
  timeout: 120_000,
}, async () => {
  const env = { DATA_DIR: stores.dir, RPC_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' }
  const first = startServerProcess(env)
  const url = await first.listening
  const body = JSON.stringify({ username: 'ann', pin: '8027' })
  const { status } = await fetch(`${url}/api/users`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(status).toBe(201)
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  const file = join(stores.dir, 'devnet', 'pepper')
  rmSync(file)
  const second = startServerProcess(env)
  expect(await second.ended).toBe(2)
  expect(second.output()).toContain(
    `Chainboard cannot start: The database has users, and their PINs need the pepper they were made with, but the file is missing (${file}).`,
  )
})

it('a server that finds a pepper without a database begins, and says that something may be lost', {
  timeout: 120_000,
}, async () => {
  const dir = join(stores.dir, 'without-database')
  mkdirSync(join(dir, 'devnet'), { recursive: true })
  writeFileSync(join(dir, 'devnet', 'pepper'), 'ab'.repeat(32))
  const server = startServerProcess({ DATA_DIR: dir, RPC_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'warn' })
  await server.listening
  expect(server.output()).toContain('Found a pepper but no database: starting with an empty site')
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
