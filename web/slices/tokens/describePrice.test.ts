import type { WireToken } from '@chainboard/core'
import { expect, test } from 'vitest'
import { describePrice, describePriceAge } from './describePrice.ts'

const token: WireToken = {
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

test('a price reads in dollars or in the paired token', () => {
  expect(describePrice(token, 'usd')).toEqual({ kind: 'price', text: '$0.8400', figure: 0.84, unit: undefined })
  expect(describePrice(token, 'paired')).toEqual({ kind: 'price', text: '0.003520', figure: 0.00352, unit: 'WEMB' })
})

test('a token without a price says why', () => {
  const unpriced: WireToken = { ...token, priceInUsd: 0, priceStatus: 'unpriced', priceReasons: ['No pool trades it.'] }
  expect(describePrice(unpriced, 'usd')).toEqual({ kind: 'none', reason: 'No pool trades it.' })
  expect(describePrice({ ...unpriced, priceReasons: [] }, 'paired').kind).toBe('none')
})

test('a token without a pool has no paired price', () => {
  expect(describePrice({ ...token, pairPrice: null, pairSymbol: null }, 'paired').kind).toBe('none')
})

test('only a stale price has an age', () => {
  expect(describePriceAge(token, 4_600)).toBeUndefined()
  const stale: WireToken = { ...token, priceStatus: 'stale' }
  expect(describePriceAge(stale, 1_720)).toBe('12m old')
  expect(describePriceAge(stale, 8_200)).toBe('2h old')
  expect(describePriceAge(stale, 1_000 + 172_800)).toBe('2d old')
  expect(describePriceAge({ ...stale, priceAsOf: null }, 4_600)).toBe('Not refreshed')
})
