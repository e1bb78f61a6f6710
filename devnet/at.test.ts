import { expect, it } from 'vitest'
import { at } from './at.ts'

it('gives the value at a place, also one that is nothing', () => {
  expect(at(['a', 'b', 'c'], 2)).toBe('c')
  expect(at([0, null], 0)).toBe(0)
  expect(at([0, null], 1)).toBeNull()
})

it('names a place that the list does not have', () => {
  expect(() => at(['a', 'b'], 2)).toThrow(new RangeError('place 2: the list has 2'))
  expect(() => at([], -1)).toThrow(new RangeError('place -1: the list has 0'))
  expect(() => at(['a'], Number.NaN)).toThrow(RangeError)
})
