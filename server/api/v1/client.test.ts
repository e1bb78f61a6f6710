import { createPriceClient, type PriceEvent } from '@chainboard/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeKeyGate } from '../../testing/fakeKeyGate.ts'
import { alpha } from '../../testing/market.ts'
import { alphaSnapshot, type PriceApiWorld, servePriceApi, toBlock } from '../../testing/priceApi.ts'

let api: PriceApiWorld
let gate: ReturnType<typeof createFakeKeyGate>
beforeEach(async () => {
  gate = createFakeKeyGate({ good: { limit: 4 } })
  api = await servePriceApi(gate)
})
afterEach(() => api.app.close())

describe('the client against the server', () => {
  it('reads prices in every way, and learns the day’s end', async () => {
    const client = createPriceClient({ baseUrl: api.url, apiKey: 'good' })
    expect((await client.getPrice(alpha)).data).toMatchObject({ symbol: 'ALPHA', usdPrice: 25, stale: false })
    expect((await client.listPrices()).data).toHaveLength(6)
    expect((await client.getPriceBySymbol('alpha')).data).toMatchObject({ address: alpha, others: [] })
    const { data, rateLimit } = await client.listPricesOf([alpha, 'rubbish'])
    expect(data.map(({ success }) => success)).toEqual([true, false])
    expect(rateLimit).toEqual({ tier: 'free', limit: 4, remaining: 0 })
    await expect(client.getPrice(alpha)).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      status: 429,
      limit: 4,
      remaining: 0,
      retryAfterSeconds: 3_600,
    })
  })

  it('follows prices through a reorg, and a line that breaks', async () => {
    const stop = new AbortController()
    const stream = createPriceClient({ baseUrl: api.url }).streamPrices({ signal: stop.signal })
    const next = async (): Promise<PriceEvent> => (await stream.next()).value
    expect(await next()).toMatchObject({ kind: 'ready', data: { resumed: false, block: 77 } })
    api.move({ cursor: toBlock(78), rolledBack: false })
    api.put(alphaSnapshot({ usd: 26, block: 78 }, toBlock(78)))
    expect(await next()).toMatchObject({ kind: 'price', data: { usdPrice: 26 } })
    api.app.server.closeAllConnections()
    api.move({ cursor: toBlock(77), rolledBack: true })
    api.put(alphaSnapshot({ usd: 25, block: 77 }, toBlock(77)))
    expect(await next()).toMatchObject({ kind: 'ready', data: { resumed: true } })
    expect(await next()).toMatchObject({ kind: 'retracted', data: { block: 77, addresses: [alpha] } })
    expect(await next()).toMatchObject({ kind: 'price', data: { usdPrice: 25, block: 77 } })
    stop.abort(new Error('enough'))
    await expect(next()).rejects.toThrow('enough')
  })
})
