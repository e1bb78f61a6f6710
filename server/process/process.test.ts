import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '@chainboard/core'
import { type Devnet, startDevnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { startServerProcess } from '../testing/serverProcess.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()

describe('the server as a process on a chain of a month', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ history: 'full', live: false })
  })
  afterAll(() => devnet.stop())

  const env = (name: string) => ({ RPC_URL: devnet.rpcUrl, DATA_DIR: join(stores.dir, name), LOG_LEVEL: 'silent' })
  const dump = async (name: string) => dumpIndex(await stores.open({ file: join(stores.dir, name, 'devnet', 'chainboard.db') }))

  it('killed at any moment and started again, has the index of a sync from scratch', { timeout: 240_000 }, async () => {
    const pool = devnet.pools[0]?.address as Address
    // Not a wait for something: the kill itself is what is timed. Moments spread over opening the store, the backfill and following: no two runs hit the same instruction.
    for (const [i, afterMs] of [60, 500, 700, 900, 1_150, 1_600].entries()) {
      const { child, ended } = startServerProcess(env('killed'))
      const trading = devnet.trade([{ pool, toTick: 201_000 + i * 7 }])
      await new Promise((resolve) => setTimeout(resolve, afterMs + Math.random() * 100))
      child.kill('SIGKILL')
      await Promise.all([ended, trading])
    }
    for (const name of ['killed', 'scratch']) {
      const { child, full, ended } = startServerProcess(env(name))
      await full
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
    const [killed, scratch] = [await dump('killed'), await dump('scratch')]
    expect(scratch.swaps.length).toBeGreaterThan(17_000)
    expect(killed).toEqual(scratch)
  })
})

describe('the server as a process', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startShortDevnet()
  })
  afterAll(() => devnet.stop())

  const env = (name: string) => ({ RPC_URL: devnet.rpcUrl, DATA_DIR: join(stores.dir, name), LOG_LEVEL: 'silent' })

  it('makes no file and no folder that others on the machine may read', async () => {
    const { child, full, ended } = startServerProcess(env('private'))
    await full
    const folder = join(stores.dir, 'private', 'devnet')
    const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map((path) => [
      path,
      statSync(path).mode & 0o77,
    ])
    child.kill('SIGTERM')
    await ended
    expect(modes.map(([path]) => path)).toEqual(expect.arrayContaining([join(folder, 'chainboard.db'), join(folder, 'pepper')]))
    expect(modes.filter(([, others]) => others !== 0)).toEqual([])
  })

  it('ends with 0 at once when nobody reads its log', { timeout: 40_000 }, async () => {
    const { child, listening, ended } = startServerProcess({ ...env('unread'), LOG_LEVEL: 'debug' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const url = await listening
    child.stdout?.pause()
    // A line each: far more than a pipe and its reader hold.
    const ask = async () => {
      for (let i = 0; i < 150; i += 1) await (await fetch(`${url}/assets.json?addresses=`)).arrayBuffer()
    }
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(ask))
    const beganMs = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(performance.now() - beganMs).toBeLessThan(12_000)
  })

  it('ends when whoever started it is gone', async () => {
    const { child, full, ended } = startServerProcess(env('orphan'))
    await full
    child.disconnect()
    expect(await ended).toBe(0)
  })

  it('lists every problem of a bad network file and exits with 2, before it touches anything', async () => {
    const dir = join(stores.dir, 'bad')
    mkdirSync(dir)
    const { ended, output } = startServerProcess({ NETWORK: 'no-such-network', PORT: 'x', DATA_DIR: dir, LOG_LEVEL: 'loud' })
    expect(await ended).toBe(2)
    expect(output()).toContain('Chainboard cannot start: 5 problems in the configuration.')
    expect(output()).toContain('  networks/no-such-network.json: found no readable file, expected a JSON file at ')
    expect(output()).toContain('  LOG_LEVEL: found "loud", expected one of fatal, error, warn, info, debug, trace, silent')
  })

  it('reads network files from the folder that it is given', async () => {
    const networks = join(stores.dir, 'my-networks')
    const { ended, output } = startServerProcess({ NETWORK: 'mine', NETWORKS_DIR: networks, DATA_DIR: stores.dir })
    expect(await ended).toBe(2)
    expect(output()).toContain(`expected a JSON file at ${join(networks, 'mine.json')}`)
    expect(output()).toContain(`expected a JSON file at ${join(networks, 'lists', 'mine', 'assets.json')}`)
  })

  it('says which port is taken, and exits', async () => {
    const first = startServerProcess(env('first'))
    const { port } = new URL(await first.full)
    const second = startServerProcess({ ...env('second'), PORT: port })
    expect(await second.ended).toBe(2)
    expect(second.output()).toContain(
      `Chainboard cannot start: PORT: found ${port}, expected a port of 127.0.0.1 that no other program has taken\n`,
    )
    first.child.kill('SIGTERM')
    await first.ended
  })
})
