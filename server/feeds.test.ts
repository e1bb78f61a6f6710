import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WireToken } from '@chainboard/contract'
import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Config, readConfig } from './config.ts'
import { explainPrice } from './market/explainPrice.ts'
import { openMarketSources } from './openMarket.ts'
import { type Server, startServer } from './startServer.ts'
import { openStore } from './store/openStore.ts'
import { deployFeed } from './testing/deployFeed.ts'
import { inList } from './testing/doctorRuns.ts'
import { startShortDevnet } from './testing/startShortDevnet.ts'

// A price feed from the network file to the page, and the same price in `explain`.

const dir = mkdtempSync(join(tmpdir(), 'chainboard-feeds-'))
const [wemb, bslt] = [inList('WEMB'), inList('BSLT')]
let devnet: Devnet
let server: Server
let config: Config
let nowSeconds: number

beforeAll(async () => {
  devnet = await startShortDevnet()
  nowSeconds = Number((await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])).timestamp)
  const [good, stale] = [await deployFeed(devnet, 8), await deployFeed(devnet, 8)]
  await good.put(123_45000000n, nowSeconds - 600)
  await stale.put(9_00000000n, nowSeconds - 7_200)
  const read = readConfig({ NETWORK: 'devnet', RPC_URL: devnet.rpcUrl, PORT: '0', DATA_DIR: dir, LOG_LEVEL: 'silent' })
  const { prices } = read.network
  const feeds = {
    [wemb.address]: { aggregator: good.address, heartbeatSeconds: 86_400 },
    [bslt.address]: { aggregator: stale.address, heartbeatSeconds: 3_600 },
  }
  config = { ...read, network: { ...read.network, feeds, prices: { ...prices, sources: ['feeds', 'index'] } } }
  server = await startServer(config)
  await server.full
})
afterAll(async () => {
  await server.close()
  await devnet.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function readTokens(): Promise<WireToken[]> {
  const path = `/assets.json?addresses=${wemb.address},${bslt.address}`
  return (await server.app.inject(path)).json()
}

it('a token has the price of its feed, which the page names, and the volume of its pools', async () => {
  await vi.waitUntil(async () => (await readTokens())[0]?.priceSource === 'feeds', { timeout: 20_000 })
  const [token, other] = await readTokens()
  expect(token).toMatchObject({
    priceInUsd: 123.45,
    priceSource: 'feeds',
    priceSourceLabel: 'A price feed on this chain',
    // 10 minutes old and not stale: its heartbeat is a day.
    priceStatus: 'priced',
    priceAsOf: nowSeconds - 600,
    confidence: 0.9,
  })
  expect(token?.volume24h).toBeGreaterThan(0)
  expect(token?.priceReasons[0]).toMatch(/^the price feed says \$123\.45, the index \$[\d,.]+: [\d.]+ % apart$/)
  // A feed that is older than its heartbeat gives no price: the next source does.
  expect(other).toMatchObject({ priceSource: 'index', priceSourceLabel: 'Pools on this chain' })
})

it('explain asks the feed as the page does, and prints the same price', async () => {
  const token = config.tokenList.tokens.find(({ id }) => id === wemb.id)
  const store = await openStore(config.store)
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const tokenList = { tokens: token ? [token] : [], highlighted: [] }
  const sources = await openMarketSources({ ...config, tokenList }, store, { log: silent, onChange: () => undefined })
  await sources.keeper.readOnce()
  const market = sources.keeper.merge().byToken.get(wemb.id)
  await sources.stop()
  await store.close()
  const lines = market ? explainPrice(market).map((line) => line.trim().replace(/ +/g, ' ')) : []
  expect(lines.slice(1, 3)).toEqual(['price 123.45 US dollars per whole token', 'source feeds'])
  expect(lines[3]).toMatch(/^asked as latestRoundData\(\) of 0x[0-9a-f]{40}, round 1, at block \d+$/)
  expect(lines).toContainEqual(expect.stringMatching(/^24h volume \$.* in all pools of the token$/))
})
