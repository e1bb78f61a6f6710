import { expect, it } from 'vitest'
import { alpha, listed } from '../testing/market.ts'
import { explainPrice } from './explainPrice.ts'
import { toTokenList } from './tokenList.ts'
import type { TokenMarket } from './tokenMarket.ts'

const [token] = toTokenList(
  listed.filter(({ address }) => address === alpha),
  [],
).tokens
const market = {
  token: { ...token, cmcUrl: 'https://coinmarketcap.com/currencies/alpha-coin/' },
  quote: {
    source: 'cmcListed',
    usdE18: 1_500_000_000_000_000_000n,
    observedAtSeconds: 1_700_000_000,
    route: [],
    reasons: [],
    confidence: 0.9,
    dayAgoUsdE18: 10n ** 18n,
    fdmcUsdE18: 3_000_000n * 10n ** 18n,
  },
  reasons: ['CoinMarketCap says $1.50, the index $1.00: 50.0 % apart'],
  change24hPercent: 50,
  volume24hUsdE18: 10n ** 21n,
  fdmcUsdE18: 3_000_000n * 10n ** 18n,
} as unknown as TokenMarket

it('a price of CoinMarketCap is shown with the slug it was asked by and the time that it says itself', () => {
  expect(explainPrice(market)).toEqual([
    `ALPHA (Alpha), ${alpha}`,
    '  price        1.5 US dollars per whole token',
    '  source       cmcListed',
    '  asked as     slug alpha-coin',
    '  as of        2023-11-14T22:13:20.000Z, as CoinMarketCap says',
    '  confidence   0.9: a price from outside the chain cannot be recomputed',
    '  weakened by  CoinMarketCap says $1.50, the index $1.00: 50.0 % apart',
    '  24h change   +50.00% from 1, as the same source says',
    '  7d change    not known',
    '  24h volume   $1.00K as CoinMarketCap counts it',
    '  market cap   $3.00M, as cmcListed says',
  ])
})
