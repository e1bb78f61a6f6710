import { expect, it } from 'vitest'
import { toCells } from './runPrices.ts'

it('shows how many distances there are, their median and 99th percentile in percent', () => {
  const distances = Array.from({ length: 200 }, (_, i) => (i + 1) / 10_000)
  // The middle of 200 is between 0.0100 and 0.0101; 99 % of them are 198.
  expect(toCells(distances)).toEqual(['200', '1.005 %', '1.980 %'])
  expect(toCells([0.25])).toEqual(['1', '25.000 %', '25.000 %'])
  expect(toCells([])).toEqual(['0', 'NaN %', 'NaN %'])
})
