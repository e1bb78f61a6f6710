import { expect, test } from 'vitest'
import { formatBalanceText, formatExactValue, formatShare, formatValue } from './formatHolding.ts'

const dollars = (cents: bigint) => cents * 10n ** 16n

test.each([
  ['25000.123456', 6, '25,000.123456'],
  ['25000.5', 6, '25,000.5'],
  ['1.23456789', 8, '1.2346'],
  ['41.5', 18, '41.5'],
  ['1200', 18, '1,200'],
  ['0.00000001', 8, '<0.0001'],
  ['7', 0, '7'],
  ['0', 18, '0'],
])('a balance of %s with %d decimals reads %s', (balance, decimals, text) =>
  expect(formatBalanceText(balance, decimals)).toBe(text),
)

test('a balance with more digits than its token has decimals is shown all the same', () => {
  expect(formatBalanceText('1.25', 0)).toBe('1.25')
})

test('values are short, and small ones are not nothing', () => {
  expect(formatValue(dollars(123_456_789n))).toBe('$1.23M')
  expect(formatValue(dollars(1_234n))).toBe('$12.34')
  expect(formatValue(1n)).toBe('<$0.01')
  expect(formatValue(dollars(1n) / 2n)).toBe('$0.01')
  expect(formatValue(0n)).toBe('$0.00')
  expect(formatValue(undefined)).toBe('N/A')
})

test('an exact value has every cent, and is rounded half up', () => {
  expect(formatExactValue(dollars(123_456_789n))).toBe('$1,234,567.89')
  expect(formatExactValue(dollars(5n))).toBe('$0.05')
  expect(formatExactValue(dollars(99n) + 5n * 10n ** 15n)).toBe('$1.00')
  expect(formatExactValue(0n)).toBe('$0.00')
  // More than a double could tell apart.
  expect(formatExactValue(dollars(10n ** 20n + 1n))).toBe('$1,000,000,000,000,000,000.01')
})

test.each([
  [1n, 3n, '33.3%'],
  [2n, 3n, '66.7%'],
  [3n, 3n, '100.0%'],
  [0n, 3n, '0.0%'],
  [1n, 10_000n, '<0.1%'],
  [5n, 10_000n, '0.1%'],
  [9_999n, 10_000n, '>99.9%'],
])('%d of %d is %s', (part, whole, text) => expect(formatShare(part, whole)).toBe(text))

test('without a price or without a whole there is no share', () => {
  expect(formatShare(undefined, 3n)).toBe('N/A')
  expect(formatShare(0n, 0n)).toBe('N/A')
})
