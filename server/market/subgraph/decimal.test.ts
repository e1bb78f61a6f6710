import { rawToDecimal, sqrtPriceX96AtTick } from '@chainboard/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalPattern, decimalToRaw, token0PriceToSqrtX96 } from './decimal.ts'

const q96 = 2n ** 96n

describe('an amount of a subgraph in smallest units', () => {
  it.each([
    ['-119.744094', 6, -119_744_094n],
    ['0.035', 18, 35_000_000_000_000_000n],
    ['365', 6, 365_000_000n],
    ['1e-7', 18, 100_000_000_000n],
    ['1.5E+3', 2, 150_000n],
    ['-0', 18, 0n],
    ['12345678901234567890123456789012345.678', 0, 12_345_678_901_234_567_890_123_456_789_012_345n],
  ])('%s with %d decimals is %d', (text, decimals, raw) => expect(decimalToRaw(text, decimals)).toBe(raw))

  it('is cut off toward zero where it is finer than a smallest unit', () => {
    expect(decimalToRaw('0.4679999', 6)).toBe(467_999n)
    expect(decimalToRaw('-0.4679999', 6)).toBe(-467_999n)
    expect(decimalToRaw('1e-7', 6)).toBe(0n)
  })

  it('loses no digit', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 128n), max: 2n ** 128n }), fc.integer({ min: 0, max: 77 }), (raw, decimals) => {
        expect(decimalToRaw(rawToDecimal(raw, decimals), decimals)).toBe(raw)
      }),
    ))

  it('is the same with the point moved into an exponent', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 96n), max: 2n ** 96n }), fc.integer({ min: -30, max: 30 }), (mantissa, exponent) => {
        const plain = exponent < 0 ? rawToDecimal(mantissa, -exponent) : `${mantissa * 10n ** BigInt(exponent)}`
        expect(decimalToRaw(`${mantissa}e${exponent}`, 40)).toBe(decimalToRaw(plain, 40))
      }),
    ))

  it.each(['', '.5', '1.', '0x10', '1e1000', 'NaN', '1 000', '--1'])('is not read from %j', (text) =>
    expect(new RegExp(decimalPattern).test(text)).toBe(false),
  )
})

describe('the sqrtPriceX96 of a token0Price', () => {
  it('is worked out by hand: 2,500 USDC for one WETH is 10^18 / (2500 x 10^6) = 20,000 squared', () =>
    expect(token0PriceToSqrtX96('2500', 6, 18)).toBe(20_000n * q96))

  it('is worked out by hand: 0.25 token0 for one token1 of equal decimals is 2 squared', () =>
    expect(token0PriceToSqrtX96('0.25', 18, 18)).toBe(2n * q96))

  it('falls when token0Price rises', () => expect(token0PriceToSqrtX96('10000', 6, 18)).toBe(10_000n * q96))

  it('is not known for the 0 of a pool without a swap', () => expect(token0PriceToSqrtX96('0', 6, 18)).toBeUndefined())

  it('comes back from 34 digits to within 10^-12, over the whole range of ticks', () =>
    fc.assert(
      fc.property(fc.integer({ min: -400_000, max: 887_272 }), fc.nat(18), fc.nat(18), (tick, decimals0, decimals1) => {
        const sqrt = sqrtPriceX96AtTick(tick)
        const found = token0PriceToSqrtX96(showPrice(sqrt, decimals0, decimals1), decimals0, decimals1) ?? 0n
        const off = found > sqrt ? found - sqrt : sqrt - found
        expect(off * 10n ** 12n <= sqrt).toBe(true)
      }),
    ))
})

/** Token0 for one token1 to 34 significant digits, as the mapping divides. */
function showPrice(sqrt: bigint, decimals0: number, decimals1: number): string {
  const scale = 140
  const price = (2n ** 192n * 10n ** BigInt(decimals1 + scale)) / (sqrt ** 2n * 10n ** BigInt(decimals0))
  const text = price.toString()
  return rawToDecimal(BigInt(text.slice(0, 34).padEnd(text.length, '0')), scale)
}
