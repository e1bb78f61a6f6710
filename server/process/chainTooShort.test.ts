import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startServerProcess } from '../testing/serverProcess.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()
const own = resolve(import.meta.dirname, '../../networks')

it('a startBlock that the chain does not have yet is reported in the status, and once in the log', async () => {
  const devnet = await startShortDevnet()
  onTestFinished(() => devnet.stop())
  const networks = join(stores.dir, 'networks')
  cpSync(own, networks, { recursive: true })
  const file = join(networks, 'devnet.json')
  const network = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...network, dex: { ...network.dex, startBlock: 9_000_000 } }))
  const server = startServerProcess({ NETWORKS_DIR: networks, DATA_DIR: stores.dir, RPC_URL: devnet.rpcUrl, LOG_LEVEL: 'warn' })
  const url = await server.listening
  const words = /^The chain ends at block \d+, before dex\.startBlock 9000000, where the index begins: wait, or correct it$/
  await expect.poll(async () => (await (await fetch(`${url}/api/status`)).json()).reason).toMatch(words)
  await expect.poll(() => server.output().split('before dex.startBlock 9000000').length - 1).toBe(1)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
