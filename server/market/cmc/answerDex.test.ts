import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { alpha, alphaPool, listed, networkFile } from '../../testing/market.ts'
import { offChain, type Quote, type SourceReading } from '../source.ts'
import { toTokenList } from '../tokenList.ts'
import { answerDex } from './answerDex.ts'

const hop = {
  pool: alphaPool,
  base: alpha,
  quote: `0x${'50'.repeat(20)}` as Address,
  baseIsToken0: true,
  decimals0: 8,
  decimals1: 18,
  fee: 3_000,
  baseSymbol: 'ALPHA',
  quoteSymbol: 'WNAT',
  sqrtPriceX96: 10_000n * 2n ** 96n,
  quoteUsdE18: 2_500n * 10n ** 18n,
  lastSwapAtSeconds: undefined,
}
const quote: Quote = {
  ...offChain,
  source: 'index',
  usdE18: 25n * 10n ** 18n,
  observedAtSeconds: 1_700_000_000,
  atBlock: { number: 5, hash: '0x00', timestampSeconds: 1_700_000_000 },
  route: [hop as Quote['route'][number]],
  confidence: 1,
  reasons: [],
  dayAgoUsdE18: 20n * 10n ** 18n,
  weekAgoUsdE18: undefined,
  volume24hUsdE18: 100n * 10n ** 18n,
  fdmcUsdE18: undefined,
  marketCapUsdE18: undefined,
}

it('the change of a pair taken from the index is a fraction, as CoinMarketCap has it', () => {
  const onChain: SourceReading = {
    atBlock: quote.atBlock,
    answers: new Map([[alpha, { kind: 'quoted', quote, displayPool: undefined }]]),
    // The token has other pools, too.
    poolVolumes: new Map([[alphaPool, 60n * 10n ** 18n]]),
  }
  const desk = { network: networkFile, list: toTokenList(listed, []), book: undefined, onChain, nowMs: 0 }
  expect(answerDex(alphaPool, 'test', desk).body).toMatchObject({
    status: { timestamp: '2023-11-14T22:13:20.000Z' },
    // From 20 to 25 dollars is 25 %; 0.01 wrapped native coins at 2,500 dollars are 25 dollars.
    data: [{ quote: [{ price: 25, price_by_quote_asset: 0.01, percent_change_price_24h: 0.25, volume_24h: 60 }] }],
  })
})
