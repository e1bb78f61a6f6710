import type { WireWarning } from '@chainboard/contract'
import { Failure, type Hex } from '@chainboard/core'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepRecentMarkets } from '../market/recentMarkets.ts'
import { type HopEvidence, offChain, type Quote } from '../market/source.ts'
import type { Snapshot } from '../market/takeSnapshot.ts'
import { toTokenList } from '../market/tokenList.ts'
import type { TokenMarket } from '../market/tokenMarket.ts'
import { alpha, alphaPool, beta, factory, listed, lone, networkFile, usdc, wrapped, wrappedPool } from '../testing/market.ts'
import { answerProblems } from './problem.ts'
import { type Receipts, receiptRoute } from './receiptRoute.ts'

const q96 = 2n ** 96n
const atBlock = { number: 77, hash: `0x${'7b'.repeat(32)}` as Hex, timestampSeconds: 1_700_000_000 }

/** Fields that a receipt does not show. */
const untold = {
  dayAgoUsdE18: undefined,
  weekAgoUsdE18: undefined,
  volume24hUsdE18: 0n,
  fdmcUsdE18: undefined,
  marketCapUsdE18: undefined,
}

/** 0.01 wrapped coins of 2,500 dollars. */
const alphaHop: HopEvidence = {
  ...{ pool: alphaPool, base: alpha, quote: wrapped, baseIsToken0: true, decimals0: 8, decimals1: 18, fee: 3_000 },
  ...{ baseSymbol: 'ALPHA', quoteSymbol: 'WNAT', quoteUsdE18: 2_500n * 10n ** 18n, lastSwapAtSeconds: 1_699_999_000 },
  ...{ firstSwapAtSeconds: 1_699_000_000 },
  ...{ sqrtPriceX96: 10_100n * q96, medianX96: 10_000n * q96, usdE18: 25n * 10n ** 18n },
  ...{ depthUsdE18: 2_000_000_000_000_000_000n, weightUsdE18: 1_234_500_000_000_000_000n },
}
const wrappedHop: HopEvidence = {
  ...{ pool: wrappedPool, base: wrapped, quote: usdc, baseIsToken0: false, decimals0: 6, decimals1: 18, fee: 500 },
  ...{ baseSymbol: 'WNAT', quoteSymbol: 'USDC', quoteUsdE18: 10n ** 18n, lastSwapAtSeconds: undefined },
  ...{ sqrtPriceX96: 20_000n * q96, medianX96: 20_000n * q96, usdE18: 2_500n * 10n ** 18n },
  ...{ depthUsdE18: 10n ** 24n, weightUsdE18: 10n ** 24n },
}

const alphaQuote: Quote = {
  ...untold,
  source: 'index',
  usdE18: 25n * 10n ** 18n,
  lastUsdE18: 25_502_500_000_000_000_000n,
  range: { lowE18: 24n * 10n ** 18n, highE18: 25_502_500_000_000_000_000n },
  costToMoveUsdE18: 250_000_000_000_000_000n,
  observedAtSeconds: 1_700_000_000,
  atBlock,
  depthUsdE18: 1_234_500_000_000_000_000n,
  confidence: 0.5,
  reasons: ['Shallow: $1.23 within 2 % of the price'],
  route: [alphaHop, wrappedHop],
  steps: [
    { token: alpha, symbol: 'ALPHA', usdE18: 25n * 10n ** 18n, pools: [alphaHop] },
    { token: wrapped, symbol: 'WNAT', usdE18: 2_500n * 10n ** 18n, pools: [wrappedHop] },
  ],
}
const plain = { ...alphaQuote, ...offChain, atBlock, depthUsdE18: undefined, confidence: 1, reasons: [] }
const quotes = new Map<string, Quote | undefined>([
  [alpha, alphaQuote],
  [usdc, { ...plain, usdE18: 10n ** 18n }],
  [beta, { ...plain, source: 'cmcListed', usdE18: 250_000_000_000_000_000n, atBlock: undefined }],
])

const taxed: readonly WireWarning[] = [{ code: 'sell-tax', text: 'of 1,000 sold 950 arrived' }]
const markets = toTokenList(listed, []).tokens.map(
  (token) =>
    ({
      token,
      quote: quotes.get(token.id),
      reasons: quotes.get(token.id)?.reasons ?? ['No pool on the chain trades this token'],
      warnings: token.id === alpha ? taxed : [],
    }) as TokenMarket,
)
const snapshot: Snapshot = { atBlock, markets, byToken: new Map(markets.map((market) => [market.token.id, market])) }

/** Receipts of what is kept alone. */
const toPriceAt =
  (recent: ReturnType<typeof keepRecentMarkets>): Receipts['priceAt'] =>
  async (token, block) => {
    const market = recent.find(token, block)
    if (!market) throw new Failure('token-not-found', `No receipt of ${token} at ${block ?? 'the newest block'}`)
    return market
  }
const receipts: Receipts = {
  priceAt: async () => markets[0] as TokenMarket,
  figureAt: async () => {
    throw new Failure('busy', 'Too many receipts are being computed. Try again', { detail: { retryAfterSeconds: 1 } })
  },
}

let app: FastifyInstance
beforeAll(async () => {
  const recent = keepRecentMarkets()
  recent.keep(snapshot)
  app = fastify({ ajv: { customOptions: { removeAdditional: false, coerceTypes: true } } })
  answerProblems(app)
  await app.register(receiptRoute({ network: networkFile, receipts: { ...receipts, priceAt: toPriceAt(recent) } }))
})
afterAll(() => app.close())

const get = async (token: string, query = '') => {
  const response = await app.inject(`/api/tokens/${token}/receipt${query}`)
  return { status: response.statusCode, body: response.json() }
}

describe('the receipt of a price', () => {
  it('has the pools it was made from, and every amount exactly', async () => {
    const alphaPart = {
      ...{ pool: alphaPool, base: alpha, quote: wrapped, baseSymbol: 'ALPHA', quoteSymbol: 'WNAT', fee: 3_000 },
      ...{ baseIsToken0: true, decimals0: 8, decimals1: 18, lastSwapAt: 1_699_999_000, firstSwapAt: 1_699_000_000 },
      ...{ usdPrice: '25', depthUsd: '2', weightUsd: '1.2345' },
      sqrtPriceX96: '800204441394069809694793898393600',
      medianX96: '792281625142643375935439503360000',
    }
    const wrappedPart = {
      ...{ pool: wrappedPool, base: wrapped, quote: usdc, baseSymbol: 'WNAT', quoteSymbol: 'USDC', fee: 500 },
      ...{ baseIsToken0: false, decimals0: 6, decimals1: 18, lastSwapAt: null, firstSwapAt: null },
      ...{ usdPrice: '2500', depthUsd: '1000000', weightUsd: '1000000' },
      sqrtPriceX96: '1584563250285286751870879006720000',
      medianX96: '1584563250285286751870879006720000',
    }
    expect(await get(alpha)).toEqual({
      status: 200,
      body: {
        token: alpha,
        symbol: 'ALPHA',
        priceInUsd: '25',
        lastPriceUsd: '25.5025',
        priceLow: '24',
        priceHigh: '25.5025',
        costToMove10Percent: '0.25',
        windowSeconds: 240,
        poolsLeftOut: 0,
        source: 'index',
        restsOn: 'pools',
        block: { number: 77, hash: `0x${'7b'.repeat(32)}`, timestamp: 1_700_000_000 },
        observedAt: 1_700_000_000,
        factory,
        usd: usdc,
        depthUsd: '1.2345',
        confidence: 0.5,
        reasons: ['Shallow: $1.23 within 2 % of the price'],
        warnings: [{ code: 'sell-tax', text: 'of 1,000 sold 950 arrived' }],
        method: { stables: [usdc], wrappedNative: wrapped, quotes: [], depthFloorUsd: '50', pools: 'all' },
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        route: [alphaPart, wrappedPart],
        steps: [
          { token: alpha, symbol: 'ALPHA', priceInUsd: '25', pools: [alphaPart] },
          { token: wrapped, symbol: 'WNAT', priceInUsd: '2500', pools: [wrappedPart] },
        ],
      },
    })
  })

  it('says that a stable coin rests on an assumption, and what comes from outside the chain on its source', async () => {
    expect((await get(usdc)).body).toMatchObject({ priceInUsd: '1', restsOn: 'assumption', usd: usdc, route: [], depthUsd: null })
    expect((await get(beta)).body).toMatchObject({
      priceInUsd: '0.25',
      source: 'cmcListed',
      restsOn: 'source',
      usd: null,
      block: null,
    })
  })

  it('says why there is no price', async () => {
    expect((await get(lone)).body).toMatchObject({
      priceInUsd: null,
      restsOn: null,
      block: null,
      confidence: 0,
      reasons: ['No pool on the chain trades this token'],
    })
  })

  it('is there for the blocks that are kept', async () => {
    expect((await get(alpha, '?block=77')).body.priceInUsd).toBe('25')
    expect(await get(alpha, '?block=76')).toEqual({ status: 404, body: { error: `No receipt of ${alpha} at 76` } })
  })

  it('is not there for a token that is not listed', async () => {
    const stranger = `0x${'99'.repeat(20)}`
    expect(await get(stranger)).toEqual({ status: 404, body: { error: `No receipt of ${stranger} at the newest block` } })
  })

  it('says so when too many are worked out', async () => {
    expect(await get(alpha, '/volume24h')).toEqual({
      status: 503,
      body: { error: 'Too many receipts are being computed. Try again' },
    })
    expect((await get(alpha, '/volume25h')).status).toBe(400)
  })

  it.each(['?block=-1', '?block=x', '?blok=1'])('is refused for %s', async (query) => {
    expect((await get(alpha, query)).status).toBe(400)
  })
})
