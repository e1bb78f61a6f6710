import type { WireToken } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { describeOrigin, listReasons } from './describeOrigin.ts'
import { testToken } from './testToken.ts'

const token: WireToken = { ...testToken, confidence: 0.944 }
const usdc = `0x${'F'.repeat(40)}`

test('a price of the index comes from the pools of the chain, with its age and how far it is trusted', () => {
  expect(describeOrigin(token, usdc, 1_004)).toEqual({
    source: 'Pools on this chain',
    quality: '4s ago · 94% confidence',
    reasons: [],
  })
})

test('the coin that prices are counted in is taken as one dollar, however its address is written', () => {
  expect(describeOrigin({ ...token, address: usdc.toLowerCase() }, usdc, 1_004)?.source).toBe('Counted as one US dollar')
  expect(
    describeOrigin({ ...token, address: usdc, priceSource: 'cmcListed', priceSourceLabel: 'CoinMarketCap' }, usdc, 1_004)?.source,
  ).toBe('CoinMarketCap')
})

test('every source is called what the server calls it, and one without a label is named as it is', () => {
  const nameOf = (priceSource: string, priceSourceLabel: string | null) =>
    describeOrigin({ ...token, priceSource, priceSourceLabel }, undefined, 0)?.source
  expect(nameOf('cmcDex', 'CoinMarketCap, from DEX trades')).toBe('CoinMarketCap, from DEX trades')
  expect(nameOf('oracle', '\u202eAn oracle of this chain')).toBe('An oracle of this chain')
  expect(nameOf('oracle', null)).toBe('oracle')
})

test('a token without a price has no origin', () => {
  expect(describeOrigin({ ...token, priceStatus: 'unpriced', priceSource: null }, usdc, 0)).toBeUndefined()
})

test('reasons are few, short and harmless', () => {
  const priceReasons = ['\u202eShallow', 'Shallow', '', 'R'.repeat(900), 'c']
  expect(listReasons({ ...token, priceReasons })).toEqual(['Shallow', `${'R'.repeat(159)}…`])
})
