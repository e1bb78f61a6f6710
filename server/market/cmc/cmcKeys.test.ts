import { expect, it } from 'vitest'
import { slicePools, sliceSlugs, slugOf } from './cmcKeys.ts'

it.each([
  ['https://coinmarketcap.com/currencies/usd-coin/', 'usd-coin'],
  ['https://coinmarketcap.com/currencies/Celo', 'celo'],
  ['https://coinmarketcap.com/currencies/1inch/?utm=x#markets', '1inch'],
  ['https://coinmarketcap.com/currencies/not_a_slug/', undefined],
  [`https://coinmarketcap.com/currencies/${'x'.repeat(76)}/`, undefined],
  ['', undefined],
  [undefined, undefined],
])('of the page %s the slug is %s', (cmcUrl, slug) => expect(slugOf(cmcUrl === undefined ? {} : { cmcUrl })).toBe(slug))

it('asks for 100 slugs at once, as one credit pays for', () => {
  expect(sliceSlugs(Array.from({ length: 201 }, (_, i) => `coin-${i}`)).map(({ length }) => length)).toEqual([100, 100, 1])
  expect(sliceSlugs([])).toEqual([])
})

it('asks for so many pools at once that the URL stays under 2,000 characters', () => {
  const slices = slicePools(Array.from({ length: 40 }, () => `0x${'a'.repeat(40)}` as const))
  expect(slices.map(({ length }) => length)).toEqual([39, 1])
})
