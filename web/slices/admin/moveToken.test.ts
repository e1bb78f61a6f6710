import { expect, test } from 'vitest'
import { move } from './moveToken.ts'

test('an item changes places with the one before or after it, and stays at an end', () => {
  expect(move(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c'])
  expect(move(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b'])
  expect(move(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
  expect(move(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
})
