import { expect, test } from 'vitest'
import { formatAverage, formatCount, formatPercentOf, formatShortCount } from './formatCount.ts'

test('counts are grouped, averages have two decimals', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
  expect([0, 1.5, 1_234.25].map(formatAverage)).toEqual(['0.00', '1.50', '1,234.25'])
})

test.each([
  [0, '0'],
  [9_999, '9,999'],
  [10_000, '10K'],
  [12_345, '12.3K'],
  [99_960, '100K'],
  [1_234_567, '1.23M'],
])('%d where room is short is %s', (count, text) => expect(formatShortCount(count)).toBe(text))

test.each([
  [0, 0, '0%'],
  [0, 8, '0%'],
  [3, 8, '37.5%'],
  [1, 3, '33.3%'],
  [8, 8, '100%'],
])('%d of %d is %s', (part, whole, text) => expect(formatPercentOf(part, whole)).toBe(text))
