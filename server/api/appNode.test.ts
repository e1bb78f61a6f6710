import { Failure } from '@chainboard/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FakeChain } from '../chain/fakeChain.ts'
import type { Config } from '../config.ts'
import { toTokenList } from '../market/tokenList.ts'
import { type Server, startServer } from '../startServer.ts'
import { alpha, alphaPool, beta, listed, sqrtPrices, swap } from '../testing/market.ts'
import { tellDay } from '../testing/tellDay.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const hour = 3_600

async function serve(chain: FakeChain, store: Config['store']): Promise<Server> {
  const config = testConfig({ store, tokenList: toTokenList(listed, [beta, alpha]), logosDir: stores.dir })
  return startServer(config, chain)
}

describe('the node behind the API', () => {
  let server: Server
  beforeAll(async () => {
    server = await serve(tellDay(), await stores.locate('sqlite'))
    await server.full
  })
  afterAll(() => server.close())

  it('hands allowed calls on to the node, one or many, and no others', async () => {
    const call = (payload: object) => server.app.inject({ method: 'POST', url: '/rpc', payload })
    const envelope = { jsonrpc: '2.0', id: 1 }
    expect((await call({ ...envelope, method: 'eth_chainId' })).json()).toEqual({ ...envelope, result: '0x7a69' })
    const batch = await call([
      { ...envelope, method: 'eth_chainId' },
      { ...envelope, id: 'two', method: 'anvil_setBalance', params: [] },
    ])
    expect(batch.json()).toEqual([
      { ...envelope, result: '0x7a69' },
      { jsonrpc: '2.0', id: 'two', error: { code: -32601, message: 'The method anvil_setBalance is not available here' } },
    ])
    expect((await call(Array.from({ length: 21 }, () => ({ ...envelope, method: 'eth_chainId' })))).statusCode).toBe(400)
    expect((await call({ ...envelope, method: 'eth_chainId', extra: 1 })).statusCode).toBe(400)
    const big = await call({ ...envelope, method: 'eth_call', params: ['x'.repeat(70_000)] })
    expect({ status: big.statusCode, body: big.json() }).toEqual({ status: 413, body: { error: 'Request body is too large' } })
  })

  it('passes on what the node says when it refuses', async () => {
    const refused = await server.app.inject({
      method: 'POST',
      url: '/rpc',
      payload: { jsonrpc: '2.0', id: 7, method: 'eth_gasPrice' },
    })
    expect(refused.json()).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32601, message: 'The method eth_gasPrice does not exist' },
    })
  })
})

describe('a node that is down at the start', () => {
  it('leaves the page up with the stored data and its age, and the sync continues by itself', async () => {
    const store = await stores.locate('sqlite')
    const chain = tellDay()
    const first = await serve(chain, store)
    await first.full
    await first.close()

    const down = new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })
    chain.failures.push(...Array(3).fill(down))
    const second = await serve(chain, store)
    const status = (await second.app.inject('/api/status')).json()
    expect(status).toMatchObject({ state: 'disconnected', secondsSinceContact: null, blockTime: 1_699_999_200 - 1.5 * hour })
    const [alphaNow] = (await second.app.inject(`/assets.json?addresses=${alpha}`)).json()
    expect(alphaNow).toMatchObject({ priceInUsd: 25, priceStatus: 'stale', priceAsOf: 1_699_999_200 - 1.5 * hour })

    chain.mine([swap(alphaPool, sqrtPrices.alphaAt6, -1n, 1n)])
    await second.full
    expect((await second.app.inject('/api/status')).json()).toMatchObject({ state: 'stalled', block: chain.height })
    expect((await second.app.inject(`/assets.json?addresses=${alpha}`)).json()[0].lastPriceUsd).toBe(6.25)
    await second.close()
  })
})
