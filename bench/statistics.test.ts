import { expect, it } from 'vitest'
import { median, percentile } from './statistics.ts'

it('takes the value in the middle, in any order', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([])).toBeNaN()
})

it('takes percentiles that were measured', () => {
  const twenty = Array.from({ length: 20 }, (_, i) => 20 - i)
  expect(percentile(twenty, 50)).toBe(10)
  expect(percentile(twenty, 95)).toBe(19)
  expect(percentile(twenty, 99)).toBe(20)
  expect(percentile([7], 50)).toBe(7)
})
