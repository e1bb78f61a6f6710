import { Agent, createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeKeyGate } from '../../testing/fakeKeyGate.ts'
import { alpha, lone, usdc } from '../../testing/market.ts'
import { alphaSnapshot, type PriceApiWorld, servePriceApi } from '../../testing/priceApi.ts'
import { createHotPath } from './hotPath.ts'
import { keepPriceCache } from './priceCache.ts'

type Heard = { readonly status: number; readonly headers: Record<string, string>; readonly body: string }

let open: PriceApiWorld[] = []
afterEach(async () => {
  await Promise.all(open.map(({ app }) => app.close()))
  open = []
})

async function serve(proxies = 0) {
  const gate = createFakeKeyGate({ good: { limit: 100 }, small: { limit: 1 }, paused: { limit: 1, refusal: 'KEY_INACTIVE' } })
  const api = await servePriceApi(gate, { proxies })
  open.push(api)
  return { gate, api }
}

/** Without a client's own ideas of headers: what is sent is what the test says. */
function send(url: string, path: string, headers: Record<string, string | string[]>): Promise<Heard> {
  return new Promise((resolve, reject) => {
    // Keeps its line, as nearly all callers do.
    const agent = new Agent({ keepAlive: true })
    const call = httpRequest(new URL(path, url), { headers, agent }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        agent.destroy()
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers as Record<string, string>,
          body: Buffer.concat(chunks).toString('base64'),
        })
      })
    })
    call.on('error', reject)
    call.end()
  })
}

/** What may differ between two answers to the same request: when, and which request it was. */
function comparable({ status, headers, body }: Heard) {
  const { date: _date, 'x-request-id': id, ...rest } = headers
  return { status, headers: rest, body, hasId: /^[0-9a-f]{8}-[0-9a-z]+$/.test(id ?? '') }
}

const upper = `0x${alpha.slice(2).toUpperCase()}`
const unknown = `0x${'99'.repeat(20)}`
type Case = readonly [what: string, path: string, headers: Record<string, string | string[]>]
const cases: readonly Case[] = [
  ['a price', `/prices/${alpha}`, {}],
  ['a price by capital letters', `/prices/${upper}`, {}],
  ['no price', `/prices/${lone}`, { 'x-api-key': 'good' }],
  ['a price to whoever takes packed answers', `/prices/${usdc}`, { 'accept-encoding': 'gzip, br' }],
  ['a token that is not listed', `/prices/${unknown}`, { 'x-api-key': 'good' }],
  ['something that is no address', '/prices/0x12', {}],
  ['the list', '/prices', {}],
  ['the list by gzip', '/prices', { 'accept-encoding': 'gzip' }],
  ['the list by brotli', '/prices', { 'accept-encoding': 'br, gzip', 'x-api-key': 'good' }],
  ['an unknown key', `/prices/${alpha}`, { 'x-api-key': 'rubbish' }],
  ['an empty key', `/prices/${alpha}`, { 'x-api-key': '' }],
  ['two keys', `/prices/${alpha}`, { 'x-api-key': ['good', 'good'] }],
  ['a paused key', '/prices', { 'x-api-key': 'paused' }],
  ['a tag that is not the price’s', `/prices/${alpha}`, { 'if-none-match': 'W/"AAAAAAAAAAAAAAAAAAAAAAAAAAA"' }],
  ['any tag', `/prices/${alpha}`, { 'if-none-match': '*' }],
  ['a body', `/prices/${alpha}`, { 'content-length': '0' }],
  ['an odd method of packing', '/prices', { 'accept-encoding': 'zstd;q=1, br;q=0' }],
]

describe('the hot path', () => {
  // `_` means nothing, and the hot path takes no query: the same request goes to the routes.
  it.each(cases)('answers as the routes do: %s', async (_what, path, headers) => {
    const answers = []
    for (const query of ['', '?_=1']) {
      const { api } = await serve()
      // The list is packed by the first who asks.
      await send(api.url, '/api/v1/prices?_=0', headers)
      answers.push(comparable(await send(api.url, `/api/v1${path}${query}`, headers)))
    }
    const [hot, routed] = answers
    expect(hot).toEqual(routed)
    expect(hot?.hasId).toBe(true)
  })

  it('answers 304 as the routes do', async () => {
    for (const path of ['/prices', `/prices/${alpha}`]) {
      const { api } = await serve()
      const tag = (await send(api.url, `/api/v1${path}?_=1`, {})).headers['etag'] ?? ''
      const known = { 'if-none-match': tag }
      const hot = comparable(await send(api.url, `/api/v1${path}`, known))
      const routed = comparable(await send(api.url, `/api/v1${path}?_=1`, known))
      expect([hot.status, hot.body, hot.headers['ratelimit']]).toEqual([304, '', '"day";r=9998;t=3600'])
      expect({ ...hot, headers: { ...hot.headers, ratelimit: '"day";r=9997;t=3600' } }).toEqual(routed)
    }
  })

  it('is the way that usual calls take, and is counted like the other', async () => {
    const { api } = await serve()
    await send(api.url, `/api/v1/prices/${alpha}`, {})
    await send(api.url, `/api/v1/prices/${alpha}`, {})
    await send(api.url, `/api/v1/prices/${alpha}?_=1`, {})
    const metrics = (await api.app.inject('/metrics')).body
    expect(metrics).toContain(
      'chainboard_http_request_seconds_count{method="GET",route="/api/v1/prices/:address",status="200"} 3',
    )
  })

  it('takes the usual calls, and leaves the others as they came', async () => {
    const prices = keepPriceCache({ snapshot: () => snapshot, nowSeconds: () => 1_700_000_000 })
    const snapshot = alphaSnapshot()
    await prices().list('gzip')
    const gate = createFakeKeyGate({ small: { limit: 0 } })
    const told: object[] = []
    const hot = createHotPath({
      prices,
      gate,
      proxies: 0,
      counterOf: () => () => undefined,
      tell: (answer) => told.push(answer),
    })
    const server = createServer((request, response) => hot.answer(request, response) || response.writeHead(421).end())
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const statusOf = async (path: string, headers = {}) => (await send(url, path, headers)).status
    expect(await statusOf(`/api/v1/prices/${alpha}`)).toBe(200)
    expect(await statusOf('/api/v1/prices', { 'accept-encoding': 'gzip' })).toBe(200)
    expect(await statusOf('/api/v1/prices', { 'accept-encoding': 'br' })).toBe(421)
    expect(await statusOf(`/api/v1/prices/${alpha}`, { 'x-api-key': 'small' })).toBe(421)
    expect(await statusOf(`/api/v1/prices/${alpha}?_=1`)).toBe(421)
    expect(await statusOf('/api/v1/prices/symbol/alpha')).toBe(421)
    const line = { method: 'GET', status: 200, ms: expect.any(Number), reqId: expect.stringMatching(/^[\da-f]+-\w+$/) }
    expect(told).toEqual([
      { ...line, route: '/api/v1/prices/:address' },
      { ...line, route: '/api/v1/prices' },
    ])
    server.close()
  })

  it('spends one request whichever way it is answered in the end', async () => {
    const { api, gate } = await serve()
    expect((await send(api.url, `/api/v1/prices/${alpha}`, { 'x-api-key': 'small' })).status).toBe(200)
    expect((await send(api.url, `/api/v1/prices/${alpha}`, { 'x-api-key': 'small' })).status).toBe(429)
    expect(gate.spentBy('key:small')).toBe(1)
    gate.answerLate('good')
    const late = await send(api.url, `/api/v1/prices/${alpha}`, { 'x-api-key': 'good' })
    expect([late.status, late.headers['ratelimit']]).toEqual([200, '"day";r=99;t=3600'])
    expect(gate.spentBy('key:good')).toBe(1)
  })

  it('counts for the address that the trusted proxies tell, as the routes do', async () => {
    const forwarded: [string | undefined, string][] = [
      ['198.51.100.7', 'ip:198.51.100.7'],
      ['203.0.113.9, 198.51.100.7', 'ip:198.51.100.7'],
      ['203.0.113.9, , 198.51.100.7 ,', 'ip:198.51.100.7'],
      ['2001:DB8::5', 'ip:2001:db8:0:0::/64'],
      ['', 'ip:127.0.0.1'],
      [undefined, 'ip:127.0.0.1'],
    ]
    for (const [header, id] of forwarded) {
      const { api, gate } = await serve(1)
      const headers: Record<string, string> = header === undefined ? {} : { 'x-forwarded-for': header }
      await send(api.url, `/api/v1/prices/${alpha}`, headers)
      await send(api.url, `/api/v1/prices/${alpha}?_=1`, headers)
      expect([header, gate.spentBy(id)]).toEqual([header, 2])
    }
    const { api, gate } = await serve(2)
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
    await send(api.url, `/api/v1/prices/${alpha}`, headers)
    await send(api.url, `/api/v1/prices/${alpha}?_=1`, headers)
    expect(gate.spentBy('ip:203.0.113.9')).toBe(2)
    const alone = await serve(0)
    await send(alone.api.url, `/api/v1/prices/${alpha}`, headers)
    expect(alone.gate.spentBy('ip:127.0.0.1')).toBe(1)
  })

  it('writes names of any letters whole', async () => {
    const { api } = await serve()
    const snapshot = alphaSnapshot()
    const [first, market, ...rest] = snapshot.markets
    if (!first || !market) throw new Error('no market')
    const named = { ...market, token: { ...market.token, name: 'Ähre 麦 🌾' } }
    const markets = [first, named, ...rest]
    api.put({ ...snapshot, markets, byToken: new Map(markets.map((each) => [each.token.id, each])) })
    const heard = await send(api.url, `/api/v1/prices/${alpha}`, {})
    expect(JSON.parse(Buffer.from(heard.body, 'base64').toString()).data.name).toBe('Ähre 麦 🌾')
  })

  it('is as fresh as the market', async () => {
    const { api } = await serve()
    const priceNow = async () =>
      JSON.parse(Buffer.from((await send(api.url, `/api/v1/prices/${alpha}`, {})).body, 'base64').toString()).data
    expect(await priceNow()).toMatchObject({ usdPrice: 25, stale: false })
    api.put(alphaSnapshot({ usd: 26 }))
    expect(await priceNow()).toMatchObject({ usdPrice: 26, pairPrice: 0 })
    api.setNow(1_700_000_601)
    expect(await priceNow()).toMatchObject({ usdPrice: 26, stale: true })
  })
})
