import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  absolute,
  decimalToE18,
  e18ToNumber,
  numberToE18,
  percentChange,
  rawToDecimal,
  rawToNumber,
  tenTo,
  timesFraction,
} from './fixedPoint.ts'

describe('smallest units as whole tokens', () => {
  it.each([
    [1_500_000n, 6, '1.5'],
    [-1n, 2, '-0.01'],
    [0n, 18, '0'],
    [10n ** 18n, 18, '1'],
    [123n, 0, '123'],
    [100_000_000_000_000_000_000_000_000_001n, 18, '100000000000.000000000000000001'],
  ])('%d with %d decimals is %s', (raw, decimals, text) => expect(rawToDecimal(raw, decimals)).toBe(text))

  it('loses no digit', () =>
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 0, max: 77 }), (raw, decimals) => {
        const [whole = '', fraction = ''] = rawToDecimal(raw, decimals).replace('-', '').split('.')
        return BigInt(whole + fraction.padEnd(decimals, '0')) === (raw < 0n ? -raw : raw)
      }),
    ))
})

describe('change', () => {
  it('is in percent', () => {
    expect(percentChange(200n, 150n)).toBe(-25)
    expect(percentChange(3n, 4n)).toBe(33.333333)
    expect(percentChange(0n, 4n)).toBeUndefined()
    expect(percentChange(-1n, 4n)).toBeUndefined()
    expect(percentChange(4n, 0n)).toBe(-100)
    expect(percentChange(3n, 2n)).toBe(-33.333333)
  })

  it('of prices beyond what a double holds is exact to its last decimal', () => {
    const price = 10n ** 40n
    expect(percentChange(price, price + 1n)).toBe(0)
    expect(percentChange(price, price + price / 10n ** 8n)).toBe(0.000001)
    expect(percentChange(1n, price)).toBe(1e42)
  })
})

describe('a JSON number with 18 decimals', () => {
  it.each([
    [1, 1_000_000_000_000_000_000n],
    [0.1, 100_000_000_000_000_000n],
    [1.1981546955807796, 1_198_154_695_580_779_600n],
    [0.000009254969813208298, 9_254_969_813_208n],
    [1e-9, 1_000_000_000n],
    [1e-19, 0n],
    [1.2e21, 1_200_000_000_000_000_000_000_000_000_000_000_000_000n],
    [-8.53447767, -8_534_477_670_000_000_000n],
    [0, 0n],
  ])('%d is %d', (value, e18) => expect(numberToE18(value)).toBe(e18))

  it('is taken from its text too, and from nothing else', () => {
    expect(decimalToE18('0.467000000000000000999')).toBe(467_000_000_000_000_000n)
    expect(decimalToE18('5E-7')).toBe(500_000_000_000n)
    for (const text of ['', 'NaN', '1.', '.5', '0x10', '1e999', '1,5', ' 1']) expect(decimalToE18(text), text).toBeUndefined()
    expect(numberToE18(Number.POSITIVE_INFINITY)).toBeUndefined()
    expect(numberToE18(Number.NaN)).toBeUndefined()
  })
})

describe('a value times a ratio', () => {
  it.each([
    [100n, 1n, 3n, 33n],
    [-100n, 1n, 3n, -33n],
    [7n, 0n, 5n, 0n],
    // As of a pool that was never opened.
    [7n, 5n, 0n, 0n],
    [10n ** 60n, 10n ** 60n, 10n ** 60n + 1n, 10n ** 60n - 1n],
  ])('%d x %d / %d is %d, rounded toward zero', (value, numerator, denominator, result) => {
    expect(timesFraction(value, { numerator, denominator })).toBe(result)
  })
})

it('powers of ten are exact, also of decimals that no token can have', () => {
  expect([0, 1, 6, 18].map(tenTo)).toEqual([1n, 10n, 1_000_000n, 1_000_000_000_000_000_000n])
  expect(tenTo(255).toString()).toBe(`1${'0'.repeat(255)}`)
  expect(tenTo(300).toString()).toBe(`1${'0'.repeat(300)}`)
})

it('a size has no sign', () => {
  expect([-3n, 0n, 3n, -(2n ** 255n)].map(absolute)).toEqual([3n, 0n, 3n, 2n ** 255n])
})

describe('smallest units as a double', () => {
  it.each([
    [1n, 18, 1e-18],
    [123_456_789n, 8, 1.23456789],
    [-5n, 1, -0.5],
    [2n ** 256n - 1n, 0, 1.157920892373162e77],
    // By way of its digits: the raw amount alone would be rounded before the division.
    [9_007_199_254_740_993_000_000_000_000_000_000n, 18, 9_007_199_254_740_992],
    [1_000_000_000_000_000_001n, 18, 1],
  ])('%d with %d decimals is %d', (raw, decimals, value) => expect(rawToNumber(raw, decimals)).toBe(value))

  it('of dollars have 18 decimals', () => {
    expect(e18ToNumber(1_234_567_890_000_000_000n)).toBe(1.23456789)
    expect(e18ToNumber(-1n)).toBe(-1e-18)
  })

  it('is what its decimal text reads as', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 30 }), (raw, decimals) => {
        expect(rawToNumber(raw, decimals)).toBe(Number(rawToDecimal(raw, decimals)))
      }),
    ))
})

describe('a decimal text', () => {
  it('of up to 18 decimals loses nothing on its way to 10^18 and back', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 50n), max: 10n ** 50n }), (e18) => {
        expect(decimalToE18(rawToDecimal(e18, 18))).toBe(e18)
      }),
    ))

  it('means the same with an exponent, and is cut off and not rounded behind the 18th decimal', () => {
    expect(decimalToE18('12345e-4')).toBe(1_234_500_000_000_000_000n)
    expect(decimalToE18('0.00012345E+4')).toBe(1_234_500_000_000_000_000n)
    expect(decimalToE18('0.0000000000000000019')).toBe(1n)
    expect(decimalToE18('-0.0000000000000000019')).toBe(-1n)
    expect(decimalToE18('1e100')).toBe(10n ** 118n)
    expect(decimalToE18('1e101')).toBeUndefined()
    expect(decimalToE18('1e-101')).toBeUndefined()
    expect(decimalToE18('-0')).toBe(0n)
  })

  it.each(['+1', '--1', '1e', 'e5', '1e1.5', '1_000', '٣', '1\n', 'Infinity', '0b1', '1.2.3'])('%j is none', (text) => {
    expect(decimalToE18(text)).toBeUndefined()
  })
})
