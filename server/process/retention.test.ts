import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { startServer } from '../startServer.ts'
import { openStore } from '../store/openStore.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()
const networks = resolve(import.meta.dirname, '../../networks')

/** The devnet's files, with this in the network file. */
function writeNetwork(changes: object): string {
  const folder = join(stores.dir, 'networks')
  mkdirSync(join(folder, 'lists', 'devnet'), { recursive: true })
  for (const name of ['assets.json', 'highlighted.json'])
    writeFileSync(join(folder, 'lists', 'devnet', name), readFileSync(join(networks, 'lists', 'devnet', name)))
  const { $schema: _, ...file } = JSON.parse(readFileSync(join(networks, 'devnet.json'), 'utf8'))
  writeFileSync(join(folder, 'devnet.json'), JSON.stringify({ ...file, ...changes }))
  return folder
}

it('a server deletes the swaps of before, says since when it has them, and answers as it did', { timeout: 120_000 }, async () => {
  const devnet = await startShortDevnet()
  const pool = devnet.pools[0]?.address as `0x${string}`
  for (let month = 0; month < 4; month += 1) {
    await devnet.rpc('evm_increaseTime', [31 * 86_400])
    const slot = await devnet.rpc<string>('eth_call', [{ to: pool, data: '0x3850c7bd' }, 'latest'])
    await devnet.trade([{ pool, toTick: Number(BigInt.asIntN(24, BigInt(`0x${slot.slice(66, 130)}`))) + 20 }])
  }
  // Those that may still change decide nothing.
  for (let i = 0; i < 20; i += 1) await devnet.rpc('evm_mine', [])
  const folder = writeNetwork({ retention: { swapMonths: 2, hourMonths: 2 } })
  const env = { RPC_URL: devnet.rpcUrl, DATA_DIR: join(stores.dir, 'data'), PORT: '0', LOG_LEVEL: 'silent', NETWORKS_DIR: folder }
  const config = readConfig(env, folder)
  const server = await startServer(config)
  await server.full
  const get = async <T>(path: string) => (await (await fetch(`${server.url}${path}`)).json()) as T
  type Status = { readonly swapsKeptSince: number | null; readonly hoursKeptSince: number | null; readonly block: number }
  const priceOf = async () =>
    (await get<{ symbol: string; priceInUsd: number; volume24h: number }[]>('/assets.json')).map(
      ({ symbol, priceInUsd, volume24h }) => [symbol, priceInUsd, volume24h],
    )
  const before = await priceOf()
  await expect.poll(async () => (await get<Status>('/api/status')).swapsKeptSince, { timeout: 30_000 }).not.toBeNull()
  const status = await get<Status>('/api/status')
  const newest = await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  const date = new Date(Number(newest.timestamp) * 1_000)
  expect(status.swapsKeptSince).toBe(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 2) / 1_000)
  expect(status.hoursKeptSince).toBe(status.swapsKeptSince)
  const reader = await openStore(config.store)
  const since = status.swapsKeptSince as number
  const listOld = async () =>
    (await reader.read.selectFrom('swaps').select(['pool']).where('timestamp', '<', since).execute()).map((row) => row.pool)
  // Of each pool one.
  await expect.poll(async () => new Set(await listOld()).size === (await listOld()).length, { timeout: 30_000 }).toBe(true)
  expect((await listOld()).length).toBeGreaterThan(3)
  expect(await priceOf()).toEqual(before)
  const slot = await devnet.rpc<string>('eth_call', [{ to: pool, data: '0x3850c7bd' }, 'latest'])
  await devnet.trade([{ pool, toTick: Number(BigInt.asIntN(24, BigInt(`0x${slot.slice(66, 130)}`))) - 30 }])
  const head = Number(await devnet.rpc<string>('eth_blockNumber', []))
  await expect.poll(async () => (await get<Status>('/api/status')).block, { timeout: 20_000 }).toBe(head)
  await server.close()
  const pruned = await dumpIndex(reader)
  await reader.close()
  // One that never deleted a row has the same pools, tokens and days.
  const wholeEnv = { ...env, DATA_DIR: join(stores.dir, 'whole') }
  const whole = readConfig(wholeEnv)
  const other = await startServer(whole)
  await other.full
  await other.close()
  const store = await openStore(whole.store)
  const wanted = await dumpIndex(store)
  await store.close()
  expect(pruned.swaps.length).toBeLessThan(wanted.swaps.length)
  for (const table of ['pools', 'days', 'tokenDays', 'exchangeDays', 'events', 'ticks'] as const)
    expect(pruned[table], table).toEqual(wanted[table])
  await devnet.stop()
})
