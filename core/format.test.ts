import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatAmount,
  formatFeeTier,
  formatMoney,
  formatPercent,
  formatPrice,
  formatRelativeTime,
  formatUsdPrice,
  shortenAddress,
} from './format.ts'

describe('money', () => {
  it.each([
    [0, '$0.00'],
    [12.345, '$12.35'],
    [999.99, '$999.99'],
    [1_000, '$1.00K'],
    [1_234_567, '$1.23M'],
    [999_999.999, '$1.00M'],
    [2.5e9, '$2.50B'],
    [7.891e12, '$7.89T'],
    [1e15, '$1000.00T'],
    [-1_500, '-$1.50K'],
  ])('%d reads %s', (usd, text) => expect(formatMoney(usd)).toBe(text))

  it('never shows four digits before the point below a thousand trillion', () =>
    fc.assert(
      fc.property(fc.double({ min: 0, max: 9.9e14, noNaN: true }), (usd) => /^\$\d{1,3}\.\d\d[KMBT]?$/.test(formatMoney(usd))),
    ))
})

describe('prices', () => {
  it.each([
    [0.00001234, '0.00001234'],
    [0.000099999, '0.00010000'],
    [0.0001, '0.000100'],
    [0.0099, '0.009900'],
    [0.01, '0.0100'],
    [0.5, '0.5000'],
    [1, '1.00'],
    [1_234.5, '1,234.50'],
    [0, '0.00'],
  ])('%d reads %s', (price, text) => expect(formatPrice(price)).toBe(text))

  it('has its sign before the dollar', () => {
    expect(formatUsdPrice(0.5)).toBe('$0.5000')
    expect(formatUsdPrice(-2)).toBe('-$2.00')
  })
})

describe('what is no figure', () => {
  it.each([null, undefined, Number.NaN, Number.POSITIVE_INFINITY])('%s reads N/A', (value) => {
    for (const format of [formatMoney, formatPrice, formatUsdPrice, formatPercent, formatAmount])
      expect(format(value)).toBe('N/A')
  })
})

describe('percent', () => {
  it.each([
    [3.456, '+3.46%'],
    [-2, '-2.00%'],
    [0, '0.00%'],
    [-0.001, '0.00%'],
    [12_345.6, '+12,345.60%'],
  ])('%d reads %s', (percent, text) => expect(formatPercent(percent)).toBe(text))
})

describe('the rest', () => {
  it('addresses show their first six and last four characters', () => {
    expect(shortenAddress('0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0')).toBe('0x9fE4…a6e0')
  })

  it('fee tiers are percent', () => {
    expect([100, 500, 3_000, 10_000].map(formatFeeTier)).toEqual(['0.01%', '0.05%', '0.3%', '1%'])
  })

  it('amounts drop zeros at the end', () => {
    expect([1_234.5, 0.126, 3].map((amount) => formatAmount(amount))).toEqual(['1,234.5', '0.13', '3'])
  })

  it('times are seconds, minutes, hours, days up to seven, then a date', () => {
    const now = 1_795_000_000
    const ages = [0, 59, 60, 3_599, 3_600, 86_399, 86_400, 7 * 86_400, 8 * 86_400, -5]
    expect(ages.map((age) => formatRelativeTime(now - age, now))).toEqual([
      '0s ago',
      '59s ago',
      '1m ago',
      '59m ago',
      '1h ago',
      '23h ago',
      '1d ago',
      '7d ago',
      'Nov 10, 2026',
      '0s ago',
    ])
  })
})
