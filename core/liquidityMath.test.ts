import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amount0Between, amount1Between, divideUp } from './liquidityMath.ts'

// Prices and answers of `SqrtPriceMath.spec.ts` in Uniswap's v3-core.
const priceOf1 = 79_228_162_514_264_337_593_543_950_336n
const priceOf121To100 = 87_150_978_765_690_771_352_898_345_369n
const e18 = 10n ** 18n

describe('what lies between two prices', () => {
  it('is what the pool contract pays in and out', () => {
    expect(amount0Between(priceOf1, priceOf121To100, e18, 'up')).toBe(90_909_090_909_090_910n)
    expect(amount0Between(priceOf1, priceOf121To100, e18, 'down')).toBe(90_909_090_909_090_909n)
    expect(amount1Between(priceOf1, priceOf121To100, e18, 'up')).toBe(100_000_000_000_000_000n)
    expect(amount1Between(priceOf1, priceOf121To100, e18, 'down')).toBe(99_999_999_999_999_999n)
  })

  it('is nothing without liquidity, and without a way', () => {
    for (const rounding of ['up', 'down'] as const) {
      expect(amount0Between(priceOf1, priceOf121To100, 0n, rounding)).toBe(0n)
      expect(amount1Between(priceOf1, priceOf121To100, 0n, rounding)).toBe(0n)
      expect(amount0Between(priceOf1, priceOf1, e18, rounding)).toBe(0n)
      expect(amount1Between(priceOf1, priceOf1, e18, rounding)).toBe(0n)
    }
  })

  const price = fc.bigInt({ min: 4_295_128_739n, max: 2n ** 160n - 1n })
  const liquidity = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n })

  it('is the same in both directions', () =>
    fc.assert(
      fc.property(price, price, liquidity, fc.constantFrom('up', 'down'), (a, b, l, rounding) => {
        expect(amount0Between(a, b, l, rounding)).toBe(amount0Between(b, a, l, rounding))
        expect(amount1Between(a, b, l, rounding)).toBe(amount1Between(b, a, l, rounding))
      }),
    ))

  it('is rounded against the trader: a unit at most of token1, and two of token0, which is divided twice', () =>
    fc.assert(
      fc.property(price, price, liquidity, (a, b, l) => {
        const more1 = amount1Between(a, b, l, 'up') - amount1Between(a, b, l, 'down')
        expect(more1 === 0n || more1 === 1n).toBe(true)
        const more0 = amount0Between(a, b, l, 'up') - amount0Between(a, b, l, 'down')
        expect(more0 >= 0n && more0 <= 2n).toBe(true)
      }),
    ))

  it('of two parts of a way is no more than that of the whole, rounded down, and no less, rounded up', () =>
    fc.assert(
      fc.property(fc.tuple(price, price, price), liquidity, (prices, l) => {
        const [low, middle, high] = prices.toSorted((a, b) => (a < b ? -1 : 1)) as [bigint, bigint, bigint]
        for (const amount of [amount0Between, amount1Between]) {
          const sum = (rounding: 'up' | 'down') => amount(low, middle, l, rounding) + amount(middle, high, l, rounding)
          expect(sum('down') <= amount(low, high, l, 'down')).toBe(true)
          expect(sum('up') >= amount(low, high, l, 'up')).toBe(true)
        }
      }),
    ))
})

describe('a division that is rounded up', () => {
  it.each([
    [0n, 3n, 0n],
    [1n, 3n, 1n],
    [3n, 3n, 1n],
    [4n, 3n, 2n],
    [2n ** 255n, 2n ** 254n, 2n],
    [2n ** 255n + 1n, 2n ** 254n, 3n],
  ])('%d / %d is %d', (a, b, quotient) => expect(divideUp(a, b)).toBe(quotient))

  it('is the least number that is enough', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.bigInt({ min: 1n, max: 2n ** 160n }), (a, b) => {
        const quotient = divideUp(a, b)
        expect(quotient * b >= a).toBe(true)
        expect(quotient === 0n || (quotient - 1n) * b < a).toBe(true)
      }),
    ))
})
