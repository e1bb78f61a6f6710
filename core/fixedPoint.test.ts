import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { percentChange, rawToDecimal } from './fixedPoint.ts'

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
