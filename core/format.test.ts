import { describe, expect, it } from 'vitest'
import {
  formatAmount,
  formatFeeTier,
  formatMoney,
  formatPercent,
  formatPrice,
  formatUsdPrice,
  priceDecimals,
  shortenAddress,
} from './format.ts'

describe('money', () => {
  it.each([
    [0, '$0.00'],
    [0.004, '$0.00'],
    [0.005, '$0.01'],
    [12.345, '$12.35'],
    [999.99, '$999.99'],
    [999.994, '$999.99'],
    [999.996, '$1.00K'],
    [1_000, '$1.00K'],
    [994_999, '$995.00K'],
    [996_000, '$996.00K'],
    [999_994, '$999.99K'],
    [999_996, '$1.00M'],
    [999_999.999, '$1.00M'],
    [1_234_567, '$1.23M'],
    [999_999_999, '$1.00B'],
    [2.5e9, '$2.50B'],
    [999_999_999_999, '$1.00T'],
    [7.891e12, '$7.89T'],
    [1e15, '$1,000.00T'],
    [999_999_990_000_000_000, '$999,999.99T'],
    [1e18, '$1.00e+18'],
    [-1_500, '-$1.50K'],
    [-0.001, '$0.00'],
  ])('%d reads %s', (usd, text) => expect(formatMoney(usd)).toBe(text))
})

describe('prices', () => {
  it.each([
    [0.00001234, '0.00001234'],
    [0.000099999, '0.00010000'],
    [0.000000005, '0.00000001'],
    [0.00000000499, '0.0₈499'],
    [0.000000001, '0.0₈1'],
    [1e-12, '0.0₁₁1'],
    [1.23456e-12, '0.0₁₁1235'],
    [9.99996e-10, '0.0₈1'],
    [-1.2e-10, '-0.0₉12'],
    [5e-324, '0.0₃₂₃4941'],
    [0.0001, '0.000100'],
    [0.0099, '0.009900'],
    [0.0099999, '0.010000'],
    [0.01, '0.0100'],
    [0.5, '0.5000'],
    [0.99999, '1.0000'],
    [1, '1.00'],
    [1_234.5, '1,234.50'],
    [0, '0.00'],
    [123_456_789.125, '123,456,789.13'],
    [1e15, '1.00e+15'],
  ])('%d reads %s', (price, text) => expect(formatPrice(price)).toBe(text))

  it('have 8 decimals below 0.0001, 6 below 0.01, 4 below 1, else 2, whatever their sign', () => {
    const sizes = [0.000_099_999_9, 0.0001, 0.009_999_9, 0.01, 0.999_9, 1]
    expect(sizes.map(priceDecimals)).toEqual([8, 6, 6, 4, 4, 2])
    expect(sizes.map((size) => priceDecimals(-size))).toEqual([8, 6, 6, 4, 4, 2])
  })

  it('have their sign before the dollar, and none when they are zero', () => {
    expect(formatUsdPrice(0.5)).toBe('$0.5000')
    expect(formatUsdPrice(-2)).toBe('-$2.00')
    expect(formatUsdPrice(-1e-12)).toBe('-$0.0₁₁1')
    expect(formatUsdPrice(-0)).toBe('$0.00')
  })
})

describe('what is no figure', () => {
  it.each([null, undefined, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%s reads N/A', (value) => {
    for (const format of [formatMoney, formatPrice, formatUsdPrice, formatPercent, formatAmount])
      expect(format(value)).toBe('N/A')
  })

  it('is a fee tier that is no number, too', () => {
    expect(formatFeeTier(Number.NaN)).toBe('N/A')
  })
})

describe('percent', () => {
  it.each([
    [3.456, '+3.46%'],
    [-2, '-2.00%'],
    [0, '0.00%'],
    [-0.001, '0.00%'],
    [0.001, '0.00%'],
    [0.005, '+0.01%'],
    [12_345.6, '+12,345.60%'],
    [1e15, '+1.00e+15%'],
  ])('%d reads %s', (percent, text) => expect(formatPercent(percent)).toBe(text))
})

describe('the rest', () => {
  it('addresses show their first six and last four characters', () => {
    expect(shortenAddress('0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0')).toBe('0x9fE4…a6e0')
    expect(shortenAddress('0x12345678')).toBe('0x12345678')
  })

  it('fee tiers are percent', () => {
    expect([100, 500, 2_500, 3_000, 10_000].map(formatFeeTier)).toEqual(['0.01%', '0.05%', '0.25%', '0.3%', '1%'])
  })

  it('amounts have up to two decimals and drop zeros at the end', () => {
    const amounts = [1_234.5, 0.126, 3, 0, 12.999]
    expect(amounts.map(formatAmount)).toEqual(['1,234.5', '0.13', '3', '0', '13'])
  })
})
