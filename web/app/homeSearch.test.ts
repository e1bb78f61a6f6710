import { expect, test } from 'vitest'
import { parseSearchText, toSearchText } from '../lib/searchText.ts'
import { readHomeSearch } from './homeSearch.ts'

const read = (text: string) => readHomeSearch(parseSearchText(text))

test('a full address is read back as it was written', () => {
  const search = { q: '1e3', sort: 'nameAsc', page: 3, chart: '0xAb', range: '1w', view: 'candles' } as const
  expect(toSearchText(search)).toBe('?q=1e3&sort=nameAsc&page=3&chart=0xAb&range=1w&view=candles')
  expect(read(toSearchText(search))).toEqual(search)
})

test('defaults do not stand in the address', () => {
  expect(read('?sort=fdmcDesc&page=1&chart=0xAb&range=1d')).toEqual({ chart: '0xAb' })
  expect(toSearchText({})).toBe('')
})

test('what the page does not understand is dropped', () => {
  expect(read('?sort=bogus&page=-2&range=9y&view=pie&q=%20&x=1')).toEqual({})
  expect(read('?page=1.5')).toEqual({})
  expect(read('?page=9999999999')).toEqual({})
})

test('only one modal is open at a time', () => {
  expect(read('?token=0xEf&chart=0xAb&swaps=0xCd&range=1w')).toEqual({ token: '0xEf' })
  expect(read('?chart=0xAb&swaps=0xCd')).toEqual({ chart: '0xAb' })
  expect(read('?swaps=0xCd&boost=0xAb&range=1w')).toEqual({ swaps: '0xCd' })
  expect(read('?boost=0xAb&view=candles')).toEqual({ boost: '0xAb' })
})

test('a very long search is cut', () => {
  expect(read(`?q=${'a'.repeat(500)}`).q).toHaveLength(64)
})
