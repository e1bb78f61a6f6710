import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import { runFuzz } from '../testing/fuzz/runFuzz.ts'
import { alpha, alphaPool, listed, openMarket } from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
/** Each makes other requests; a fault is told with its own, for `npm run bench -- fuzz --seed`. */
const seeds = ['the first', 'one', 'three', '2026-11-22T04:49:40.539Z']
const countOfSeed = 5_000

describe('whatever is sent to the server', () => {
  let server: Server
  beforeAll(async () => {
    const chain = new FakeChain()
    openMarket(chain)
    chain.methods.set('eth_getBalance', () => '0x1')
    chain.methods.set('eth_call', () => `0x${'0'.repeat(63)}7`)
    server = await startServer(testConfig({ store: await stores.locate('sqlite'), proxies: 1 }), console.error, chain)
    await server.full
  })
  afterAll(() => server.close())

  it(`is answered as described, ${seeds.length} times ${countOfSeed} times`, { timeout: 180_000 }, async () => {
    const document = (await server.app.inject('/api/openapi.json')).json()
    const known = {
      addresses: [...listed.map(({ address }) => address), alphaPool],
      words: ['ALPHA', 'usdc', 'ada', '1d', 'test'],
    }
    const kept = new Set<string>()
    for (const seed of seeds) {
      const report = await runFuzz({ url: server.url, document, known, count: countOfSeed, seed })
      expect({ seed, faults: report.faults, sent: report.sent }).toEqual({ seed, faults: [], sent: 5_000 })
      for (const each of report.kept) kept.add(each)
    }
    // It came past the door: what is asked most has been answered and refused, and so has what takes bodies.
    for (const reached of [
      'getPrice 200',
      'getPrice 404',
      'getPrice 400',
      'listPrices 200',
      'listPricesOf 200',
      'listPricesOf 413',
    ])
      expect([reached, kept.has(reached)]).toEqual([reached, true])
    for (const reached of [
      'streamPrices 200',
      'getChart 200',
      'register 201',
      'callNode 200',
      'querySubgraph 2XX',
      'createKey 4XX',
    ])
      expect([reached, kept.has(reached)]).toEqual([reached, true])
    expect((await fetch(`${server.url}/api/v1/prices/${alpha}`)).status).toBe(200)
  })
})
