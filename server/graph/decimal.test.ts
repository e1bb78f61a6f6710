import { describe, expect, it } from 'vitest'
import { showDecimal, showRatio } from './decimal.ts'

describe('a decimal of an answer', () => {
  it.each([
    [1_500_000n, 6, '1.5'],
    [-1n, 2, '-0.01'],
    [0n, 18, '0'],
    [-0n, 18, '0'],
    [120n, 0, '120'],
    [1_000_000n, 6, '1'],
    [1n, 18, '0.000000000000000001'],
  ])('%s with %s decimals is %s', (value, scale, text) => {
    expect(showDecimal(value, scale)).toBe(text)
  })

  it('has at most 34 significant digits, rounded half up', () => {
    expect(showDecimal(12_345_678_901_234_567_890_123_456_789_012_345n, 1)).toBe('1234567890123456789012345678901235')
    expect(showDecimal(99_999_999_999_999_999_999_999_999_999_999_995n, 2)).toBe('1000000000000000000000000000000000')
  })

  it('is the quotient of two numbers to 34 digits', () => {
    expect(showRatio(1n, 3n)).toBe('0.3333333333333333333333333333333333')
    expect(showRatio(200n, 3n)).toBe('66.66666666666666666666666666666667')
    expect(showRatio(1n, 2_500n)).toBe('0.0004')
    expect(showRatio(10n ** 40n, 1n)).toBe('10000000000000000000000000000000000000000')
  })

  it('is 0 where nothing divides it', () => {
    expect(showRatio(5n, 0n)).toBe('0')
    expect(showRatio(0n, 5n)).toBe('0')
  })
})
