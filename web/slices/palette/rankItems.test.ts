import { expect, test } from 'vitest'
import { type PaletteItem, rankItems } from './rankItems.ts'

const items = ['API documentation', 'Portfolio', 'Price API', 'Light theme', 'Paired prices', 'a.b (c)'].map(
  (text): PaletteItem => ({ id: text, group: 'Pages', text, run: () => undefined }),
)
const find = (search: string) => rankItems(items, search).map(({ text }) => text)

test('what begins with the search comes first, then words in it, then letters in their order', () => {
  expect(find('pri')).toEqual(['Price API', 'Paired prices', 'Portfolio'])
  expect(find('API')).toEqual(['API documentation', 'Price API', 'Paired prices'])
  expect(find('ptf')).toEqual(['Portfolio'])
  expect(find('zz')).toEqual([])
})

test('without a search everything is there in its order', () => {
  expect(find('  ')).toEqual(items.map(({ text }) => text))
})

test('the places that were searched for are marked, and no letter of a search is a pattern', () => {
  expect(rankItems(items, 'api')[1]?.places).toEqual([6, 7, 8])
  expect(rankItems(items, 'ptf')[0]?.places).toEqual([0, 3, 4])
  expect(find('.b (c)')).toEqual(['a.b (c)'])
  expect(find('[')).toEqual([])
})
