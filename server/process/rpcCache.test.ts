import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { indexedTopics } from '../indexer/decodeLog.ts'
import { startServer } from '../startServer.ts'
import { openStore } from '../store/openStore.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { startStrangeNode } from '../testing/strangeNode.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()

it('a server that starts over with RPC_CACHE asks its node for no logs of settled blocks, and has the same index', {
  timeout: 120_000,
}, async () => {
  const devnet = await startShortDevnet()
  const asked: number[] = []
  const node = await startStrangeNode(devnet.rpcUrl, {
    onRequest: (calls) => {
      for (const { method, params } of calls) {
        const { fromBlock, topics } = (params[0] ?? {}) as { fromBlock?: string; topics?: readonly unknown[] }
        // Boosts are another contract's, and are read for themselves.
        if (method === 'eth_getLogs' && JSON.stringify(topics) === JSON.stringify([indexedTopics])) asked.push(Number(fromBlock))
      }
    },
  })
  const cache = join(stores.dir, 'cache')
  const run = async (name: string) => {
    const env = { RPC_URL: node.url, DATA_DIR: join(stores.dir, name), PORT: '0', LOG_LEVEL: 'silent', RPC_CACHE: cache }
    const config = readConfig(env)
    const server = await startServer(config)
    await server.full
    await server.close()
    const store = await openStore(config.store)
    const { tokens, ...index } = await dumpIndex(store)
    await store.close()
    // What a supply is follows from no log.
    return { ...index, tokens: tokens.map(({ total_supply: _, ...token }) => token) }
  }
  const first = await run('first')
  const settled = Number(await devnet.rpc<string>('eth_blockNumber', [])) - 16
  expect(asked.some((from) => from <= settled)).toBe(true)
  const written = () => readdirSync(cache).flatMap((folder) => readdirSync(join(cache, folder)))
  await vi.waitUntil(() => written().some((name) => name.includes(`-${settled}-`) && name.endsWith('.range')), {
    timeout: 10_000,
  })
  asked.length = 0
  const second = await run('second')
  expect(asked.filter((from) => from <= settled)).toEqual([])
  expect(second).toEqual(first)
  expect(first.swaps.length).toBeGreaterThan(20)
  await node.close()
  await devnet.stop()
})
