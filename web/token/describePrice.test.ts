import type { WireToken } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { describePrice, describePriceAge, describeTrades } from './describePrice.ts'
import { testToken } from './testToken.ts'

const token = testToken

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
  expect(describePrice({ ...token, pairPrice: 0, pairSymbol: null }, 'paired').kind).toBe('none')
})

test('only a stale price has an age', () => {
  expect(describePriceAge(token, 4_600)).toBeUndefined()
  const stale: WireToken = { ...token, priceStatus: 'stale' }
  expect(describePriceAge(stale, 1_720)).toBe('12m old')
  expect(describePriceAge(stale, 8_200)).toBe('2h old')
  expect(describePriceAge(stale, 1_000 + 172_800)).toBe('2d old')
  expect(describePriceAge({ ...stale, priceAsOf: null }, 4_600)).toBe('Not refreshed')
})

test('a price is held against its last trade, its range and what moving it costs, where they are known', () => {
  const token = { ...testToken, lastPriceUsd: 0.8412, priceLow: 0.83, priceHigh: 0.85, costToMove10Percent: 1_250 }
  expect(describeTrades(token)).toEqual({ last: '$0.8412', range: 'range $0.8300 – $0.8500', cost: '$1.25K' })
  expect(describeTrades({ ...token, priceLow: null, costToMove10Percent: null })).toMatchObject({
    range: undefined,
    cost: undefined,
  })
  expect(describeTrades({ ...token, lastPriceUsd: null })).toBeUndefined()
})
