import { expect, it } from 'vitest'
import { apiUrl } from './apiUrl.ts'

it('fills in the parameters of a path, whatever is in them', () => {
  expect(apiUrl('/api/users/:username/verify-pin', { username: 'a/b ü$&' })).toBe('/api/users/a%2Fb%20%C3%BC%24%26/verify-pin')
  expect(apiUrl('/api/favorites/:username/:tokenAddress', { username: ':tokenAddress', tokenAddress: '0xAb' })).toBe(
    '/api/favorites/%3AtokenAddress/0xAb',
  )
})

it('adds a query only where something is asked', () => {
  expect(apiUrl('/api/tokens/:address/swaps', { address: '0xAb' }, { limit: 5 })).toBe('/api/tokens/0xAb/swaps?limit=5')
  expect(apiUrl('/assets.json', {}, { sort: 'nameAsc', page: 1, search: 'a b' })).toBe(
    '/assets.json?sort=nameAsc&page=1&search=a+b',
  )
  expect(apiUrl('/assets.json', {})).toBe('/assets.json')
})
