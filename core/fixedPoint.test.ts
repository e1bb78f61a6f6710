import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalToE18, numberToE18, percentChange, rawToDecimal } from './fixedPoint.ts'

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
