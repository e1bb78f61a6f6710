import { expect, it } from 'vitest'
import { median, percentile } from './statistics.ts'

it('takes the value in the middle, in any order', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([])).toBeNaN()
})

it('sorts numbers as numbers, and leaves the samples in their order', () => {
  const samples = [100, 9, 20]
  expect(median(samples)).toBe(20)
  expect(percentile(samples, 50)).toBe(20)
  expect(percentile(samples, 100)).toBe(100)
  expect(samples).toEqual([100, 9, 20])
})

it('takes percentiles that were measured', () => {
  const twenty = Array.from({ length: 20 }, (_, i) => 20 - i)
  expect(percentile(twenty, 50)).toBe(10)
  expect(percentile(twenty, 95)).toBe(19)
  expect(percentile(twenty, 99)).toBe(20)
  expect(percentile([7], 50)).toBe(7)
})

it('lets the stated part of the samples be as small, and no fewer', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
  expect([0, 1, 50, 99, 99.1, 100].map((percent) => percentile(hundred, percent))).toEqual([1, 1, 50, 99, 100, 100])
  // Of 101 samples 99 % are 99.99: the hundredth one.
  expect(percentile([...hundred, 101], 99)).toBe(100)
  expect(percentile([], 99)).toBeNaN()
})
