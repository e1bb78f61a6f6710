import { createPriceClient, type PriceEvent } from '@chainboard/sdk'
import { expect, it } from 'vitest'
import { FakeChain } from '../../chain/fakeChain.ts'
import { startServer } from '../../startServer.ts'
import { alpha, alphaPool, openMarket, sqrtPrices, swap } from '../../testing/market.ts'
import { createTempStores } from '../../testing/tempStores.ts'
import { testConfig } from '../../testing/testConfig.ts'

const stores = createTempStores()

it('the whole server tells a swap, takes it back with its block, and tells the price that is left', async () => {
  const chain = new FakeChain()
  openMarket(chain)
  const server = await startServer(testConfig({ store: await stores.locate('sqlite') }), chain)
  await server.full
  const stop = new AbortController()
  const stream = createPriceClient({ baseUrl: server.url }).streamPrices({ addresses: [alpha], signal: stop.signal })
  const next = async (): Promise<PriceEvent> => (await stream.next()).value
  expect(await next()).toMatchObject({ kind: 'ready', data: { resumed: false, block: 1 } })
  chain.mine([swap(alphaPool, sqrtPrices.alphaAt25, -2n * 10n ** 8n, 2n * 10n ** 16n)])
  expect(await next()).toMatchObject({ kind: 'price', data: { symbol: 'ALPHA', lastPriceUsd: 25, block: 2 } })
  chain.cut(1)
  chain.mine([], 13)
  chain.mine()
  const retracted = await next()
  expect(retracted).toMatchObject({ kind: 'retracted', data: { addresses: [alpha] } })
  expect(retracted.kind === 'retracted' && (retracted.data.block ?? 0) < 2).toBe(true)
  expect(await next()).toMatchObject({ kind: 'price', data: { symbol: 'ALPHA', lastPriceUsd: 6.25 } })
  stop.abort(new Error('enough'))
  await server.close()
})
