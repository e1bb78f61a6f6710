import { expect, it } from 'vitest'
import type { Address } from './address.ts'
import { type RangedOffer, rangeOf } from './fairPrice.ts'
import { oneUsdE36 } from './route.ts'

const q96 = 2n ** 96n
const pool = `0x${'a1'.repeat(20)}` as Address
const [base, quote] = ['b2', 'c3'].map((byte) => `0x${byte.repeat(20)}`) as [Address, Address]
const hop = { pool, base, quote, baseIsToken0: true, decimals0: 18, decimals1: 18, depthUsdE18: 0n }
const dollar = { lowE36: oneUsdE36, highE36: oneUsdE36 }

/** A pool at one dollar that weighs so much; its last trade was at 100 dollars, with so much to trade near it. */
function offer(weight: bigint, near: bigint | undefined): RangedOffer {
  const one = { hop, sqrtPriceX96: q96, price: { numerator: 1n, denominator: 1n }, usdE36: oneUsdE36, weightUsdE18: weight }
  const last = near === undefined ? undefined : { sqrtPriceX96: 10n * q96, depthUsdE18: near }
  return { offer: one, last, quote: dollar }
}

const highest = (...offers: RangedOffer[]) => rangeOf(offers, { usdE36: oneUsdE36, depthUsdE18: 0n }).highE36 / oneUsdE36

it('a last price is in the range while a twentieth of the weight trades near it', () => {
  // 2,000 in all: 100 are a twentieth.
  expect(highest(offer(1_900n, undefined), offer(100n, 100n))).toBe(100n)
  expect(highest(offer(1_900n, undefined), offer(100n, 99n))).toBe(1n)
})
