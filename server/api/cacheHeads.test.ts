import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Server, startServer } from '../startServer.ts'
import { alpha } from '../testing/market.ts'
import { tellDay } from '../testing/tellDay.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const wallet = '0x00000000000000000000000000000000000000aa'

describe('a cache in front of the server', () => {
  const stores = createTempStores()
  let server: Server
  beforeAll(async () => {
    server = await startServer(testConfig({ store: await stores.locate('sqlite'), proxies: 1 }), tellDay())
    await server.full
  })
  afterAll(() => server.close())

  it.each([
    ...['/assets.json', '/assets.json?page=1&_=1', '/highlighted.json', '/api/trending', `/api/tokens/${alpha}/chart?range=1w`],
    ...[
      `/api/tokens/${alpha}/candles?interval=1m`,
      `/api/tokens/${alpha}/swaps`,
      '/api/boosts',
      '/api/config',
      '/api/stats/users',
      '/api/stats/dashboard',
    ],
  ])('may keep %s for a second, for everybody who takes the same packing', async (url) => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const caller = { 'accept-encoding': encoding, cookie: 'a=b', origin: 'https://other.example', 'x-api-key': 'k' }
      const { statusCode, headers } = await server.app.inject({ url, headers: caller })
      expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=0, s-maxage=1'])
      expect([undefined, 'accept-encoding']).toContain(headers['vary'])
      expect(headers['set-cookie']).toBe(undefined)
      // Who asked first would be told to all others.
      expect(headers['x-ratelimit-remaining']).toBe(undefined)
    }
  })

  it("lets no cache keep what is a user's own, or an error", async () => {
    const headersOf = async (url: string) => (await server.app.inject(url)).headers['cache-control']
    for (const url of ['/api/users/ann', '/api/favorites/ann', `/api/wallets/${wallet}/balance`, '/api/status', '/readyz'])
      expect([url, await headersOf(url)]).toEqual([url, 'no-store'])
    for (const url of ['/assets.json?sort=best', `/api/tokens/${wallet}/chart`, '/api/boosts?token=rubbish', '/api/nothing'])
      expect([url, await headersOf(url)]).toEqual([url, 'no-store'])
    expect(await headersOf('/api/v1/prices')).toBe('private, no-cache')
    const posted = await server.app.inject({ method: 'POST', url: '/subgraph', payload: { query: '{ bundles { id } }' } })
    expect(posted.headers['cache-control']).toBe('no-store')
  })
})
