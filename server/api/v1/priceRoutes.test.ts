import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Failure } from '@chainboard/core'
import type { BatchItem, Price } from '@chainboard/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeKeyGate } from '../../testing/fakeKeyGate.ts'
import { alpha, listed, lone } from '../../testing/market.ts'
import { alphaSnapshot, type PriceApiWorld, servePriceApi, toMarket, toSnapshot } from '../../testing/priceApi.ts'
import { sendRaw } from '../../testing/sendRaw.ts'

const unknown = `0x${'99'.repeat(20)}`
const refused = { paused: 'KEY_INACTIVE', old: 'KEY_EXPIRED' } as const
let gate: ReturnType<typeof createFakeKeyGate>
let api: PriceApiWorld
beforeEach(async () => {
  gate = createFakeKeyGate({
    good: { limit: 1_000 },
    small: { limit: 2 },
    paused: { limit: 1, refusal: refused.paused },
    old: { limit: 1, refusal: refused.old },
  })
  api = await servePriceApi(gate)
})
afterEach(() => api.app.close())

type Body = { success: boolean; data: never; error: { code: string; message: string }; rateLimit: object }

async function ask(path: string, options: RequestInit = {}) {
  const answer = await fetch(`${api.url}/api/v1${path}`, options)
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: (text ? JSON.parse(text) : undefined) as Body }
}
const withKey = (key: string, more: Record<string, string> = {}) => ({ headers: { 'x-api-key': key, ...more } })

const alphaPrice = {
  name: 'Alpha',
  symbol: 'ALPHA',
  address: alpha,
  usdPrice: 25,
  lastPriceUsd: null,
  priceLow: null,
  priceHigh: null,
  costToMove10Percent: null,
  pairPrice: 0.01,
  pairSymbol: 'WNAT',
  change24h: 12.5,
  volume24h: 500,
  organicVolume24h: 400,
  organicCoverage: 0.9,
  marketCap: 25_000_000,
  asOf: 1_700_000_000,
  block: 77,
  stale: false,
  confidence: 0.75,
  priceStatus: 'priced',
  priceReasons: [],
  warnings: [{ code: 'sell-tax', text: 'of 1,000 sold 950 arrived' }],
}

describe('the price API', () => {
  it('answers one token with its evidence and the caller’s day', async () => {
    const { status, text, headers } = await ask(`/prices/${alpha}`, withKey('good'))
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({
      success: true,
      data: alphaPrice,
      rateLimit: { tier: 'free', limit: 1_000, remaining: 999 },
    })
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      ratelimit: '"day";r=999;t=3600',
      'ratelimit-policy': '"day";q=1000;w=86400',
    })
    expect(headers.get('etag')).toMatch(/^W\/"[\w-]{27}"$/)
  })

  it('tells a price that is missing as 0 with the reason, and an old one as stale', async () => {
    const missing = (await ask(`/prices/${lone}`)).body.data as Price
    expect(missing).toMatchObject({ usdPrice: 0, change24h: 0, asOf: null, block: null, stale: false, confidence: 0 })
    expect(missing).toMatchObject({ priceStatus: 'unpriced', priceReasons: ['No pool on the chain trades this token'] })
    api.setNow(1_700_000_601)
    expect((await ask(`/prices/${alpha}`)).body.data).toMatchObject({ usdPrice: 25, stale: true, priceStatus: 'stale' })
  })

  it('packs the list of all once and puts each caller’s own day behind it', async () => {
    for (const [accepted, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
      ['identity', (bytes: Buffer) => bytes],
    ] as const) {
      for (let times = 0; times < 2; times += 1) {
        const { rawPayload, headers } = await api.app.inject({
          url: '/api/v1/prices',
          headers: { 'accept-encoding': accepted, 'x-api-key': 'good' },
        })
        const body = JSON.parse(unpack(rawPayload).toString())
        expect(body.data.map(({ symbol }: Price) => symbol)).toEqual(['USDC', 'ALPHA', 'WNAT', 'BETA', 'THIN', 'LONE'])
        expect(body.data[1]).toEqual(alphaPrice)
        expect(Object.keys(body).at(-1)).toBe('rateLimit')
        expect(body.rateLimit.remaining + gate.spentBy('key:good')).toBe(1_000)
        expect(headers['content-encoding']).toBe(accepted === 'identity' ? undefined : accepted)
      }
    }
  })

  it('answers 304 to whoever has the very prices, and 200 after a change', async () => {
    for (const path of ['/prices', `/prices/${alpha}`, '/prices/symbol/alpha']) {
      const tag = (await ask(path)).headers.get('etag') ?? ''
      const again = await ask(path, { headers: { 'if-none-match': tag } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
      expect(again.headers.get('ratelimit')).toMatch(/^"day";r=\d+;t=3600$/)
      expect((await ask(path, { headers: { 'if-none-match': `"other", ${tag}` } })).status).toBe(304)
      api.put(alphaSnapshot({ usd: 26, pair: 0.01 }))
      const changed = await ask(path, { headers: { 'if-none-match': tag } })
      expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false])
      api.put(alphaSnapshot())
    }
  })

  it('answers a symbol with the verified token of the deepest market, and names the others', async () => {
    const [first] = listed
    if (!first) throw new Error('no token')
    const named = (digit: string, verified: boolean) => ({ ...first, symbol: 'Gold', address: `0x${digit.repeat(40)}`, verified })
    api.put(
      toSnapshot([
        toMarket(named('1', false), 0, { usd: 5, depthUsd: 9_000_000 }),
        toMarket(named('2', true), 1, { usd: 3, depthUsd: 10 }),
        toMarket(named('3', true), 2, { usd: 4, depthUsd: 20 }),
        toMarket(named('4', true), 3, {}),
        toMarket({ ...first, symbol: 'GOLDEN', address: `0x${'5'.repeat(40)}` }, 4, { usd: 1 }),
      ]),
    )
    const { body } = await ask('/prices/symbol/gOLD')
    expect(body.data).toMatchObject({ symbol: 'Gold', address: `0x${'3'.repeat(40)}`, usdPrice: 4 })
    const { others } = body.data as { others: { address: string; verified: boolean }[] }
    expect(others.map(({ address, verified }) => [address[2], verified])).toEqual([
      ['2', true],
      ['4', true],
      ['1', false],
    ])
    expect((await ask('/prices/symbol/SILVER')).body.error).toEqual({
      code: 'TOKEN_NOT_FOUND',
      message: 'No listed token has the symbol SILVER',
    })
  })

  it('answers a batch one by one, as one request', async () => {
    const addresses = [alpha.toUpperCase().replace('0X', '0x'), unknown, 'rubbish', alpha]
    const batch = { method: 'POST', headers: { 'x-api-key': 'good', 'content-type': 'application/json' } }
    const { status, body } = await ask('/prices/batch', { ...batch, body: JSON.stringify({ addresses }) })
    expect(status).toBe(200)
    expect(body.data as BatchItem[]).toEqual([
      { address: addresses[0], success: true, data: alphaPrice },
      {
        address: unknown,
        success: false,
        error: { code: 'TOKEN_NOT_FOUND', message: `Token ${unknown} is not on this site's list` },
      },
      {
        address: 'rubbish',
        success: false,
        error: { code: 'INVALID_REQUEST', message: 'Expected an address: 0x and 40 hexadecimal digits' },
      },
      { address: alpha, success: true, data: alphaPrice },
    ])
    expect(body.rateLimit).toEqual({ tier: 'free', limit: 1_000, remaining: 999 })
  })

  it('refuses keys with the code and the status of the catalogue', async () => {
    const codes = async (key: string) => {
      const { status, body } = await ask(`/prices/${alpha}`, withKey(key))
      return [status, body.success, body.error.code, body.error.message]
    }
    expect(await codes('rubbish')).toEqual([401, false, 'INVALID_API_KEY', 'Unknown API key'])
    expect(await codes('')).toEqual([401, false, 'INVALID_API_KEY', 'Unknown API key'])
    expect(await codes('paused')).toEqual([403, false, 'KEY_INACTIVE', 'This API key is paused'])
    expect(await codes('old')).toEqual([403, false, 'KEY_EXPIRED', 'This API key has expired'])
  })

  it('answers to the limit and refuses what is over it, with when to come back', async () => {
    const paths = [`/prices/${alpha}`, '/prices', `/prices/${alpha}`, '/prices']
    const answers = []
    for (const path of paths) answers.push(await ask(path, withKey('small')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429])
    expect(answers[2]?.body).toEqual({
      success: false,
      error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Daily limit reached. It resets at midnight UTC', limit: 2, remaining: 0 },
    })
    expect(Object.fromEntries(answers[2]?.headers ?? [])).toMatchObject({
      'retry-after': '3600',
      'cache-control': 'no-store',
      ratelimit: '"day";r=0;t=3600',
      'ratelimit-policy': '"day";q=2;w=86400',
    })
  })

  it('counts what it looked up and nothing that it refused before', async () => {
    const spent = () => gate.spentBy('key:good')
    const tag = (await ask(`/prices/${alpha}`, withKey('good'))).headers.get('etag') ?? ''
    expect(spent()).toBe(1)
    expect((await ask(`/prices/${alpha}`, withKey('good', { 'if-none-match': tag }))).status).toBe(304)
    expect(spent()).toBe(2)
    expect((await ask(`/prices/${unknown}`, withKey('good'))).body.error.code).toBe('TOKEN_NOT_FOUND')
    expect(spent()).toBe(3)
    expect((await ask(`/prices/${alpha}`, { method: 'HEAD', ...withKey('good') })).status).toBe(200)
    expect(spent()).toBe(4)
    const json = { 'content-type': 'application/json' }
    const wrong: [string, RequestInit, number][] = [
      ['/prices/rubbish', withKey('good'), 400],
      [`/prices/${alpha}?fresh=1`, withKey('good'), 400],
      ['/prices/%ZZ', withKey('good'), 400],
      ['/nothing', withKey('good'), 404],
      ['/prices', { method: 'POST', ...withKey('good') }, 405],
      ['/prices/batch', withKey('good'), 405],
      ['/prices/batch', { method: 'POST', body: '{"addresses":[]}', ...withKey('good', json) }, 400],
      ['/prices/batch', { method: 'POST', body: '{', ...withKey('good', json) }, 400],
      ['/prices/batch', { method: 'POST', body: '<a/>', ...withKey('good', { 'content-type': 'application/xml' }) }, 415],
      ['/prices/batch', { method: 'POST', body: `"${'x'.repeat(70_000)}"`, ...withKey('good', json) }, 413],
      [
        '/prices/batch',
        { method: 'POST', body: JSON.stringify({ addresses: Array(101).fill(alpha) }), ...withKey('good', json) },
        400,
      ],
    ]
    for (const [path, options, status] of wrong) {
      const { headers, body, ...answer } = await ask(path, options)
      expect([path, answer.status, body.success, body.error.code]).toEqual([path, status, false, 'INVALID_REQUEST'])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/)
    }
    expect(spent()).toBe(4)
  })

  it.each(['', '/', '?x=1', '#x', '/?x', '//'])('speaks for its own root as for what is below it: /api/v1%s', async (rest) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await sendRaw(api.url, `${method} /api/v1${rest} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      const [head = '', body] = answer.split('\r\n\r\n')
      expect([method, head.slice(9, 12)]).toEqual([method, method === 'OPTIONS' ? '204' : '404'])
      expect(head).toMatch(/access-control-allow-origin: \*\r\n(.*\r\n)*x-request-id: /i)
      if (!['HEAD', 'OPTIONS'].includes(method))
        expect(JSON.parse(body ?? '')).toEqual({
          success: false,
          error: { code: 'INVALID_REQUEST', message: `No route for ${method} /api/v1${rest}` },
        })
    }
  })

  it('lets pages of any site ask, and read the headers', async () => {
    const preflight = await ask('/prices/batch', {
      method: 'OPTIONS',
      headers: { origin: 'https://other.example', 'access-control-request-method': 'POST' },
    })
    expect([preflight.status, preflight.text]).toEqual([204, ''])
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': 'Cache-Control, Content-Type, If-None-Match, Last-Event-ID, X-API-Key',
      'access-control-max-age': '86400',
    })
    expect((await ask('/prices')).headers.get('access-control-expose-headers')).toBe(
      'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
    )
  })

  it('says so when requests cannot be counted, and does not blame the caller for a bug', async () => {
    gate.fail(new Failure('busy', 'Requests cannot be counted at the moment', { retryable: true }))
    const busy = await ask(`/prices/${alpha}?_=1`)
    expect([busy.status, busy.body.error, busy.headers.get('retry-after')]).toEqual([
      503,
      { code: 'UNAVAILABLE', message: 'Requests cannot be counted at the moment' },
      '1',
    ])
    expect((await ask(`/prices/${alpha}`)).status).toBe(503)
    gate.fail(new Error('secret detail'))
    for (const path of [`/prices/${alpha}`, `/prices/${alpha}?_=1`]) {
      const bug = await ask(path)
      expect([bug.status, bug.body.error]).toEqual([500, { code: 'SERVER_ERROR', message: 'Something went wrong on the server' }])
    }
  })
})
