import type { WireToken } from '@chainboard/core'

/** A token with a fresh price of the index, as tests of single texts want it. */
export const testToken: WireToken = {
  name: 'Basalt',
  symbol: 'BSLT',
  address: `0x${'1'.repeat(40)}`,
  decimals: 18,
  logo: '/logos/bslt.svg',
  category: 'Infrastructure',
  verified: true,
  supply: 1000,
  priceInUsd: 0.84,
  pairPrice: 0.00352,
  pairSymbol: 'WEMB',
  priceChange24h: 1,
  priceChange7d: 2,
  volume24h: 3,
  fdmc: 840,
  marketCap: 840,
  rank: 1,
  priceSource: 'index',
  priceStatus: 'priced',
  priceReasons: [],
  priceAsOf: 1_000,
  confidence: 1,
}
