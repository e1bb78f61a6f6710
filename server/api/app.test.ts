import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { WireChart, WireStatus, WireSwap, WireToken, WireTrendingToken } from '@chainboard/contract'
import type { Address } from '@chainboard/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FakeChain } from '../chain/fakeChain.ts'
import type { Config } from '../config.ts'
import { toTokenList } from '../market/tokenList.ts'
import { type Server, startServer } from '../startServer.ts'
import { alpha, beta, factory, listed, lone, thin, trader, usdc, wrapped } from '../testing/market.ts'
import { tellDay } from '../testing/tellDay.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()

async function serve(chain: FakeChain, store: Config['store']): Promise<Server> {
  const config = testConfig({ store, tokenList: toTokenList(listed, [beta, alpha]), logosDir: stores.dir })
  return startServer(config, chain)
}

const hour = 3_600

describe.each(engines)('the API on %s', (engine) => {
  let chain: FakeChain
  let server: Server
  beforeAll(async () => {
    chain = tellDay()
    server = await serve(chain, await stores.locate(engine))
    await server.full
  })
  afterAll(() => server.close())

  const get = async <T>(path: string) => {
    const answer = await server.app.inject(path)
    return { status: answer.statusCode, body: answer.json() as T, headers: answer.headers }
  }
  const token = async (address: Address) => (await get<WireToken[]>(`/assets.json?addresses=${address}`)).body[0] as WireToken

  it('tells all tokens in one answer, packed as the caller wants it, the same as page by page', async () => {
    // Who traded is found out while the server answers already.
    await expect.poll(async () => (await token(alpha)).organicCoverage).toBe(1)
    const pages = [
      ...(await get<WireToken[]>('/assets.json?page=1&pageSize=4')).body,
      ...(await get<WireToken[]>('/assets.json?page=2&pageSize=4')).body,
    ]
    expect(pages.map(({ symbol }) => symbol)).toEqual(['USDC', 'ALPHA', 'WNAT', 'BETA', 'THIN', 'LONE'])
    for (const [accepted, unpack] of [
      ['br, gzip', brotliDecompressSync],
      ['gzip', gunzipSync],
      ['identity', (bytes: Buffer) => bytes],
    ] as const) {
      const { rawPayload, headers } = await server.app.inject({
        url: '/assets.json?_=1',
        headers: { 'accept-encoding': accepted },
      })
      expect(JSON.parse(unpack(rawPayload).toString())).toEqual(pages)
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=0, s-maxage=1',
        'x-total-count': '6',
      })
    }
  })

  it('prices a token on either side of its pool, directly or through the native coin', async () => {
    expect(await token(usdc)).toMatchObject({ priceInUsd: 1, priceStatus: 'stale' })
    expect(await token(wrapped)).toMatchObject({ priceInUsd: 2_500, pairPrice: 2_500, pairSymbol: 'USDC' })
    expect(await token(alpha)).toMatchObject({
      priceInUsd: 25,
      pairPrice: 0.01,
      pairSymbol: 'WNAT',
      fdmc: 25_000_000,
      marketCap: 25_000_000,
    })
    expect(await token(beta)).toMatchObject({ priceInUsd: 0.25, pairPrice: 0.25, pairSymbol: 'USDC', fdmc: 250_000 })
  })

  it('tells the change of a day, and none for a token that is younger than the week', async () => {
    expect(await token(alpha)).toMatchObject({ priceChange24h: 300, priceChange7d: null })
    expect(await token(beta)).toMatchObject({ priceChange24h: 0 })
  })

  it('tells the change over hours and minutes, what trades near the price, and when a token first traded; null where there is none', async () => {
    const figuresOf = async (address: Address) => {
      const { priceChange5m, priceChange1h, priceChange6h, depthUsd, firstTradeAt } = await token(address)
      return [priceChange5m, priceChange1h, priceChange6h, depthUsd && Math.round(depthUsd), firstTradeAt]
    }
    // From 6.25 to 25 dollars two hours before the last block. 10^21 x (1 - 1.02^-0.5) of 2,500 dollars.
    expect(await figuresOf(alpha)).toEqual([0, 0, 300, 24_631, 1_699_999_200 - 25.75 * hour])
    expect((await figuresOf(beta)).slice(0, 3)).toEqual([0, 0, 0])
    expect((await token(beta)).firstTradeAt).toBe(1_699_999_200 - 34.75 * hour)
    expect(await figuresOf(lone)).toEqual([null, null, null, null, null])
  })

  it('filters the whole list by figure and property, and sorts it in both directions', async () => {
    const symbols = async (query: string) =>
      (await get<WireToken[]>(`/assets.json?${query.includes('sort=') ? '' : 'sort=fdmcDesc&'}${query}`)).body.map(
        ({ symbol }) => symbol,
      )
    expect(await symbols('move=gainers')).toEqual(['ALPHA'])
    expect(await symbols('move=losers')).toEqual([])
    expect(await symbols('newDays=1')).toEqual([])
    expect(await symbols('newDays=2&liquidityMin=10000')).toEqual(['WNAT', 'ALPHA'])
    expect(await symbols('category=Test&verified=1&warned=0')).toEqual(['ALPHA', 'USDC', 'THIN', 'LONE'])
    expect(await symbols('warned=1')).toEqual(['WNAT', 'BETA'])
    expect(await symbols('category=test')).toEqual([])
    expect(await symbols('verified=0')).toEqual([])
    expect((await symbols('sort=ageAsc'))[0]).toBe('ALPHA')
    expect((await get('/assets.json?move=sideways')).status).toBe(400)
    expect((await get('/assets.json?liquidityMin=-1')).status).toBe(400)
    expect((await get('/api/tokens/categories')).body).toEqual([{ category: 'Test', count: 6 }])
  })

  it('draws a week of several tokens in a few points each', async () => {
    const path = `/api/tokens/sparklines?addresses=${[alpha, lone, trader].join()}`
    const [line, unpriced, ...others] = (await get<{ address: string; points: WireChart['points'] }[]>(path)).body
    expect(others).toEqual([])
    expect(unpriced).toEqual({ address: lone, points: [] })
    expect(line?.address).toBe(alpha)
    // 39 hours since the pool was opened, every sixth counted back from the newest.
    expect(line?.points.map(({ price }) => price)).toEqual([6.25, 6.25, 6.25, 6.25, 6.25, 6.25, 25])
    expect(line?.points.at(-1)?.time).toBe(1_699_999_200 - 2 * hour)
    expect((await get(`/api/tokens/sparklines?addresses=${Array(51).fill(alpha).join()}`)).status).toBe(400)
  })

  it('adds up what a token traded in 24 hours, in dollars of the hour', async () => {
    // The swap for 0.01 native 23.75 hours before the last block, then 0.02 and 0.01: 0.04 x 2500. The one 24.25 hours before is out.
    expect((await token(alpha)).volume24h).toBe(100)
    expect((await token(beta)).volume24h).toBe(0)
  })

  it('leaves a token without a pool, or with too thin a one, unpriced with the reason: 0 on the wire', async () => {
    const unpriced = {
      priceInUsd: 0,
      fdmc: 0,
      marketCap: 0,
      volume24h: 0,
      priceChange24h: 0,
      priceStatus: 'unpriced',
      confidence: 0,
      priceAsOf: null,
    }
    expect(await token(lone)).toMatchObject({
      ...unpriced,
      pairPrice: 0,
      pairSymbol: null,
      priceReasons: ['No pool on the chain trades this token'],
    })
    expect(await token(thin)).toMatchObject({
      ...unpriced,
      pairPrice: 0,
      pairSymbol: 'USDC',
      priceReasons: ['Too thin to set a price: $0.10 within 2 % of the price, $50.00 required'],
    })
    const { body } = await get<{ data: object }>(`/api/v1/prices/${thin}`)
    expect(body.data).toMatchObject({ usdPrice: 0, pairPrice: 0, pairSymbol: 'USDC', priceStatus: 'unpriced' })
  })

  it('says of which block every list, chart and list of swaps is, and when that was', async () => {
    const { block, blockTime } = (await get<WireStatus>('/api/status')).body
    expect(block).toBeGreaterThan(0)
    for (const path of [
      '/assets.json',
      '/assets.json?search=alpha',
      '/highlighted.json',
      '/api/trending',
      `/api/tokens/${alpha}/chart`,
      `/api/tokens/${alpha}/swaps`,
    ])
      expect((await get(path)).headers, path).toMatchObject({ 'x-as-of-block': String(block), 'x-as-of': String(blockTime) })
  })

  it('draws the hours of a chart with the last price carried forward', async () => {
    const { body } = await get<WireChart>(`/api/tokens/${alpha}/chart?range=1d`)
    expect(body.points).toHaveLength(24)
    expect(body.points.map(({ price }) => price)).toEqual([...Array(20).fill(6.25), ...Array(4).fill(25)])
    expect(body.points.at(-1)?.time).toBe(1_699_999_200 - 2 * hour)
    const steps = body.points.slice(1).map(({ time }, i) => time - (body.points[i]?.time ?? 0))
    expect(new Set(steps)).toEqual(new Set([hour]))
  })

  it('starts a chart where the pool starts', async () => {
    const { body } = await get<WireChart>(`/api/tokens/${alpha}/chart?range=3d`)
    expect(body.points).toHaveLength(39)
  })

  it('gives candles of the hours that traded', async () => {
    const { body } = await get<WireChart>(`/api/tokens/${alpha}/chart?range=1d&candles=1`)
    expect(body.candles).toEqual([
      { time: 1_699_999_200 - 5 * hour, open: 25, high: 25, low: 25, close: 25, volumeUsd: 50 },
      { time: 1_699_999_200 - 3 * hour, open: 25, high: 25, low: 25, close: 25, volumeUsd: 25 },
    ])
  })

  it('draws the candles of a token1 the right way up', async () => {
    const { body } = await get<WireChart>(`/api/tokens/${wrapped}/chart?range=3d&candles=1`)
    expect(body.candles).toEqual([
      { time: 1_699_999_200 - 36 * hour, open: 1_600, high: 2_500, low: 1_600, close: 2_500, volumeUsd: 6_600 },
    ])
  })

  it('says why there is no chart', async () => {
    expect((await get(`/api/tokens/${lone}/chart`)).body).toEqual({ points: [], reason: 'No pool address provided' })
    expect((await get(`/api/tokens/${thin}/chart`)).body).toEqual({ points: [], reason: 'No current price data available' })
  })

  it('lists the newest swaps as the token sees them', async () => {
    const { body } = await get<WireSwap[]>(`/api/tokens/${alpha}/swaps?limit=2`)
    expect(body).toMatchObject([
      {
        type: 'sell',
        amount0: '1',
        amount1: '-0.01',
        tokenAmount: 1,
        usdValue: 25,
        tokenPriceAtSwap: 25,
        priceImpact: 0,
        percentChangeFromPrevious: 0,
      },
      {
        type: 'buy',
        amount0: '-2',
        amount1: '0.02',
        tokenAmount: 2,
        usdValue: 50,
        priceImpact: 300,
        percentChangeFromPrevious: 300,
        sender: trader,
      },
    ])
    // The same pool from its other side: what bought ALPHA sold the native coin.
    const [native] = (await get<WireSwap[]>(`/api/tokens/${wrapped}/swaps?limit=1`)).body
    expect(native).toMatchObject({
      type: 'sell',
      tokenAmount: 1,
      usdValue: 2_500,
      pool: { token0: { id: usdc }, token1: { id: wrapped } },
    })
  })

  it('searches, sorts and pages', async () => {
    const symbols = async (query: string) => (await get<WireToken[]>(`/assets.json?${query}`)).body.map(({ symbol }) => symbol)
    expect(await symbols('sort=fdmcDesc')).toEqual(['WNAT', 'ALPHA', 'USDC', 'BETA', 'THIN', 'LONE'])
    expect(await symbols('sort=priceDesc')).toEqual(['WNAT', 'ALPHA', 'USDC', 'BETA', 'THIN', 'LONE'])
    expect(await symbols('sort=changeDesc')).toEqual(['ALPHA', 'WNAT', 'USDC', 'BETA', 'THIN', 'LONE'])
    expect(await symbols('sort=volumeDesc&pageSize=1')).toEqual(['WNAT'])
    expect(await symbols('sort=nameAsc&page=2&pageSize=2')).toEqual(['LONE', 'THIN'])
    expect(await symbols('search=%20coIN')).toEqual(['USDC'])
    expect(await symbols('search=nothing')).toEqual([])
    expect(await symbols('staking=1')).toEqual([])
    expect(await symbols('page=9&pageSize=2')).toEqual([])
    expect((await get('/assets.json?sort=nameAsc&page=2&pageSize=2')).headers['x-total-count']).toBe('6')
  })

  it('knows the featured and the most traded', async () => {
    expect((await get<WireToken[]>('/highlighted.json')).body.map(({ symbol }) => symbol)).toEqual(['BETA', 'ALPHA'])
    const trending = async () => (await get<WireTrendingToken[]>('/api/trending')).body
    // WNAT was traded for ALPHA alone, which is no quote of the network: nothing of its volume counts.
    await expect.poll(async () => (await trending()).map(({ symbol }) => symbol), { timeout: 20_000 }).toEqual(['ALPHA'])
    // One wallet put 4 and 2 ALPHA in and took 1 out, in a pool of which half is another's: for 25, 50 and 25 dollars.
    expect((await trending())[0]).toMatchObject({
      volume24h: 100,
      organicVolume24h: 25,
      organicCoverage: 1,
      // 0.3 % of 25 dollars.
      costOfPlaceUsd: 0.075,
    })
    expect(await token(beta)).toMatchObject({ volume24h: 0, organicVolume24h: null, organicCoverage: 0 })
  })

  it('ignores the cache-busting parameter everywhere, and refuses other unknown ones', async () => {
    for (const path of [
      '/assets.json',
      '/highlighted.json',
      '/api/trending',
      `/api/tokens/${alpha}/chart`,
      `/api/tokens/${alpha}/swaps`,
      '/api/config',
      '/api/status',
      '/healthz',
      '/readyz',
      '/metrics',
    ]) {
      expect((await server.app.inject(`${path}?_=1795000000`)).statusCode, path).toBe(200)
      expect((await server.app.inject(`${path}?what=1`)).statusCode, path).toBe(400)
    }
  })

  it.each([
    [`/api/tokens/${alpha}/chart?range=2y`, 400, 'querystring range: found "2y", expected one of 1d, 3d, 1w, 1m'],
    [`/api/tokens/0x${'99'.repeat(20)}/chart`, 404, `Token 0x${'99'.repeat(20)} is not on this site's list`],
    [`/api/tokens/0x${'99'.repeat(20)}/swaps`, 404, `Token 0x${'99'.repeat(20)} is not on this site's list`],
    ['/api/tokens/0x12/swaps', 400, 'params address: found "0x12", expected an address: 0x and 40 hexadecimal digits'],
    [`/api/tokens/${alpha}/swaps?limit=101`, 400, 'querystring limit: found 101, expected it to be <= 100'],
    // A number that is none: JavaScript reads it as infinite.
    ['/assets.json?page=1e309', 400, 'querystring page: found null, expected it to be <= 1000000'],
    ['/api/boosts?page=1e309', 400, 'querystring page: found null, expected it to be <= 1000000'],
    [`/api/tokens/${alpha}/swaps?limit=1e309`, 400, 'querystring limit: found null, expected it to be <= 100'],
    ['/assets.json?page=0', 400, 'querystring page: found 0, expected it to be >= 1'],
    [
      '/assets.json?sort=best',
      400,
      'querystring sort: found "best", expected one of fdmcDesc, priceDesc, volumeDesc, changeDesc, nameAsc, fdmcAsc, priceAsc, volumeAsc, changeAsc, nameDesc, change5mDesc, change5mAsc, change1hDesc, change1hAsc, change6hDesc, change6hAsc, change7dDesc, change7dAsc, liquidityDesc, liquidityAsc, ageDesc, ageAsc, organicDesc, organicAsc, confidenceDesc, confidenceAsc',
    ],
    ['/assets.json?colour=red', 400, 'querystring: found colour, expected no such field'],
    ['/api/nothing', 404, 'No route for GET /api/nothing'],
    ['/%E0%A4%A', 400, "'/%E0%A4%A' is not a valid url component"],
  ])('answers %s with %i and a text', async (path, status, error) => {
    expect(await get(path)).toMatchObject({ status, body: { error } })
  })

  it('leads a browser home from an address that cannot even be read', async () => {
    const { statusCode, headers } = await server.app.inject({ url: '/%E0%A4%A', headers: { accept: 'text/html' } })
    expect([statusCode, headers.location]).toEqual([302, '/'])
  })

  it('sends its security headers with every answer, errors included', async () => {
    for (const path of ['/assets.json', '/api/nothing']) {
      const { headers } = await server.app.inject(path)
      expect(headers['content-security-policy']).toContain("default-src 'self';script-src 'self';style-src 'self'")
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
    }
  })

  it('is alive and ready, and counts', async () => {
    expect((await get('/healthz')).body).toEqual({ alive: true })
    expect((await get('/readyz')).body).toMatchObject({
      ready: true,
      store: true,
      index: { block: chain.height, lagBlocks: 0, state: 'stalled' },
    })
    const metrics = (await server.app.inject('/metrics')).body
    expect(metrics).toContain(`chainboard_index_block ${chain.height}`)
    expect(metrics).toContain(
      'chainboard_http_request_seconds_count{method="GET",route="/api/tokens/:address/chart",status="404"} 1',
    )
  })

  it('tells the web what it needs', async () => {
    expect((await get('/api/config')).body).toMatchObject({
      siteName: 'Testboard',
      domain: 'board.example',
      chain: { id: 31_337, rpcUrl: '/rpc' },
      usdc: { address: usdc, decimals: 6 },
      prices: {
        factory,
        windowSeconds: 240,
        ...{ stables: [usdc], wrappedNative: wrapped, quotes: [], pools: 'all' },
      },
      explorer: null,
    })
  })
})
