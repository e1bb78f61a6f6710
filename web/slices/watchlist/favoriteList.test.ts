import { expect, test } from 'vitest'
import { hasFavorite, withFavorite, withFavoriteBack, withoutFavorite } from './favoriteList.ts'

test('a token is a favourite in whatever case its address is written', () => {
  expect(hasFavorite(['0xab', '0xcd'], '0xAB')).toBe(true)
  expect(hasFavorite(['0xab', '0xcd'], '0xEF')).toBe(false)
})

test('a favourite is added at the end, and once', () => {
  const list = ['0xab', '0xcd']
  expect(withFavorite(list, '0xEF')).toEqual(['0xab', '0xcd', '0xef'])
  expect(withFavorite(list, '0xAB')).toBe(list)
})

test('a favourite is taken off', () => {
  expect(withoutFavorite(['0xab', '0xcd'], '0xAB')).toEqual(['0xcd'])
  expect(withoutFavorite(['0xab'], '0xCD')).toEqual(['0xab'])
})

test('a favourite that could not be taken off comes back to its place', () => {
  const before = ['0xa', '0xb', '0xc']
  expect(withFavoriteBack(['0xa', '0xc'], '0xB', before)).toEqual(['0xa', '0xb', '0xc'])
  expect(withFavoriteBack(['0xb', '0xc'], '0xa', before)).toEqual(['0xa', '0xb', '0xc'])
  expect(withFavoriteBack(['0xa', '0xb'], '0xc', before)).toEqual(['0xa', '0xb', '0xc'])
})

test('what was added and taken off in the meantime stays so', () => {
  expect(withFavoriteBack(['0xc', '0xd'], '0xb', ['0xa', '0xb', '0xc'])).toEqual(['0xb', '0xc', '0xd'])
  expect(withFavoriteBack(['0xa', '0xb'], '0xb', ['0xa', '0xb'])).toEqual(['0xa', '0xb'])
  expect(withFavoriteBack([], '0xb', ['0xa', '0xb'])).toEqual(['0xb'])
})
