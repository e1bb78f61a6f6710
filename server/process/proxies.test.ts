import { expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { startServer } from '../startServer.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()

it.each([
  { proxies: 0, claimed: ['198.51.100.1', '198.51.100.2'], remaining: [299, 298] },
  { proxies: 1, claimed: ['198.51.100.1', '198.51.100.2'], remaining: [299, 299] },
  { proxies: 1, claimed: ['9.9.9.9, 198.51.100.1', '8.8.8.8, 198.51.100.1'], remaining: [299, 298] },
  { proxies: 1, claimed: ['2001:db8::1', '2001:db8::ffff:2'], remaining: [299, 298] },
])(
  'with $proxies proxies in front, calls forwarded for $claimed have $remaining left',
  async ({ proxies, claimed, remaining }) => {
    const config = testConfig({ proxies, store: await stores.locate('sqlite') })
    const server = await startServer(config, new FakeChain())
    const left: number[] = []
    for (const forwarded of claimed) {
      const headers = { 'x-forwarded-for': forwarded, 'content-type': 'application/json' }
      const answer = await server.app.inject({ method: 'POST', url: '/subgraph', headers, payload: '{"query":"{ __typename }"}' })
      left.push(Number(/r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1]))
    }
    expect(left).toEqual(remaining)
    await server.close()
  },
)
