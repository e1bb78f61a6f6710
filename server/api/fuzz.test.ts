import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import type { SignedLogin } from '../testing/fuzz/generateRequest.ts'
import { runFuzz } from '../testing/fuzz/runFuzz.ts'
import { alpha, alphaPool, listed, openMarket } from '../testing/market.ts'
import { operator, signProof, withRole } from '../testing/signProof.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const adminWallets = withRole('owner', operator)
/** Each makes other requests; a fault is told with its own, for `npm run bench -- fuzz --seed`. */
const seeds = { sqlite: ['the first', 'eight'], postgres: ['eight', '2026-11-22T04:49:40.539Z'] }
const countOfSeed = 2_500

describe.each(engines)('whatever is sent to the server on %s', (engine) => {
  let server: Server
  beforeAll(async () => {
    const chain = new FakeChain()
    openMarket(chain)
    chain.methods.set('eth_getBalance', () => '0x1')
    chain.methods.set('eth_call', () => `0x${'0'.repeat(63)}7`)
    server = await startServer(testConfig({ store: await stores.locate(engine), proxies: 1, adminWallets }), chain)
    await server.full
  })
  afterAll(() => server.close())

  const logIn = (place: number) => signProof(operator, { purpose: 'Admin Login', atMs: Date.now() - place * 1_000 })
  const makeKey = async (login: SignedLogin): Promise<string> => {
    const payload = { ...login, email: 'dev@example.org' }
    return (await server.app.inject({ method: 'POST', url: '/api/admin/keys', payload })).json().key.fullId
  }
  it(`is answered as described, ${seeds[engine].length} times ${countOfSeed} times`, { timeout: 180_000 }, async () => {
    const logins = await Promise.all(Array.from({ length: 20 }, (_, place) => logIn(place)))
    const document = (await server.app.inject('/api/openapi.json')).json()
    const known = {
      addresses: [...listed.map(({ address }) => address), alphaPool],
      words: ['ALPHA', 'usdc', 'ada', '1d', 'test'],
      logins,
      keyIds: await Promise.all(logins.map(makeKey)),
    }
    const kept = new Set<string>()
    for (const seed of seeds[engine]) {
      const report = await runFuzz({ url: server.url, document, known, count: countOfSeed, seed })
      expect({ seed, faults: report.faults, sent: report.sent }).toEqual({ seed, faults: [], sent: countOfSeed })
      for (const each of report.kept) kept.add(each)
    }
    // Seeds seldom make a body that is too long.
    const tooLong = await fetch(`${server.url}/api/v1/prices/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ addresses: ['x'.repeat(70_000)] }),
    })
    expect(tooLong.status).toBe(413)
    // It came past the door: what is asked most has been answered and refused, and so has what takes bodies.
    for (const reached of ['getPrice 200', 'getPrice 404', 'getPrice 400', 'listPrices 200', 'listPricesOf 200'])
      expect([reached, kept.has(reached)]).toEqual([reached, true])
    for (const reached of [
      'streamPrices 200',
      'getChart 200',
      'register 201',
      'callNode 200',
      'querySubgraph 2XX',
      'createKey 201',
      'createKey 4XX',
      'updateKey 200',
      'updateKey 4XX',
      'listKeys 200',
      'listActs 200',
    ])
      expect([reached, kept.has(reached)]).toEqual([reached, true])
    expect((await fetch(`${server.url}/api/v1/prices/${alpha}`)).status).toBe(200)
  })
})
