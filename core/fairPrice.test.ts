import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from './address.ts'
import {
  costToMove,
  isNear,
  makeOffer,
  type Offer,
  oneDollar,
  partOf,
  settle,
  shareWeights,
  sumWeights,
  toSpread,
} from './fairPrice.ts'
import { oneUsdE36 } from './route.ts'

const q96 = 2n ** 96n
const [base, quote, pool] = ['b2', 'c3', 'a1'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address, Address]
const hop = { pool, base, quote, baseIsToken0: true, decimals0: 18, decimals1: 18, depthUsdE18: 0n }

/** What a pool says in cents, and what trades in it. */
const offer = (cents: bigint, weight: bigint): Offer => ({
  ...{ hop, sqrtPriceX96: q96, price: { numerator: 1n, denominator: 1n } },
  ...{ usdE36: (cents * oneUsdE36) / 100n, weightUsdE18: weight },
})
const cents = (usdE36: bigint) => (usdE36 * 100n) / oneUsdE36

describe('the price that pools agree on', () => {
  it('is what the one pool says, with its depth', () => {
    expect(settle([offer(250n, 7n)])).toEqual({ usdE36: (250n * oneUsdE36) / 100n, depthUsdE18: 7n })
  })

  it('is the median by depth: a pool of less than half of it moves nothing', () => {
    const { usdE36, depthUsdE18 } = settle([offer(100n, 40n), offer(101n, 21n), offer(9_900n, 39n)])
    expect(cents(usdE36)).toBe(101n)
    // Of the two within 2 %.
    expect(depthUsdE18).toBe(61n)
  })

  it('has the depth of what is within 2 %, both ends included', () => {
    const { depthUsdE18 } = settle([offer(97n, 1n), offer(98n, 2n), offer(100n, 100n), offer(102n, 4n), offer(103n, 8n)])
    expect(depthUsdE18).toBe(106n)
  })
})

describe('being near', () => {
  it.each([
    [102n, 100n, true],
    [103n, 100n, false],
    [98n, 100n, true],
    [97n, 100n, false],
    [0n, 0n, true],
    [1n, 0n, false],
    [0n, 1n, false],
  ])('%d to %d: %s', (one, other, near) => expect(isNear(one, other)).toBe(near))
})

describe('weights in one quote', () => {
  it('are left while what is behind the quote is as much', () => {
    const offers = [offer(100n, 30n), offer(100n, 20n)]
    expect(shareWeights(offers, { usdE36: oneUsdE36, depthUsdE18: 50n })).toBe(offers)
    expect(shareWeights(offers, oneDollar)).toBe(offers)
  })

  it('give way by the same part where it is less, and one that is left with nothing is gone', () => {
    const shared = shareWeights([offer(100n, 1n), offer(101n, 99n)], { usdE36: oneUsdE36, depthUsdE18: 50n })
    expect(shared.map((each) => [cents(each.usdE36), each.weightUsdE18])).toEqual([[101n, 49n]])
  })

  it('are together never more than what is behind the quote', () =>
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 0n, max: 10n ** 30n }), { maxLength: 20 }),
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        (weights, behind) => {
          const offers = weights.map((weight) => offer(100n, weight))
          expect(sumWeights(shareWeights(offers, { usdE36: oneUsdE36, depthUsdE18: behind })) <= behind).toBe(true)
        },
      ),
    ))
})

it('a pool says the price of its other token times what it trades for', () => {
  // 2^96 x 3 is 9 quote tokens for one base token, at 2 dollars each.
  const made = makeOffer({ ...hop, depthUsdE18: 5n }, 3n * q96, { usdE36: 2n * oneUsdE36, depthUsdE18: undefined })
  expect([cents(made.usdE36), made.weightUsdE18]).toEqual([1_800n, 5n])
  const inverse = makeOffer({ ...hop, baseIsToken0: false }, q96 / 2n, oneDollar)
  expect(cents(inverse.usdE36)).toBe(400n)
})

describe('what it costs to move weight', () => {
  const movers = [
    { weightUsdE18: 10n, costUsdE18: 100n },
    { weightUsdE18: 10n, costUsdE18: 10n },
    { weightUsdE18: 20n, costUsdE18: 40n },
  ]

  it.each([
    [0n, 0n],
    [5n, 5n],
    [10n, 10n],
    [20n, 30n],
    [30n, 50n],
    [35n, 100n],
    [40n, 150n],
    [41n, undefined],
  ])('%d of it: %s, the cheapest first', (weight, cost) => expect(costToMove(movers, weight)).toBe(cost))

  it('is not known where nothing can be moved', () => expect(costToMove([], 1n)).toBeUndefined())
})

it('a spread is the farther end of a range, as a part of the price', () => {
  expect(toSpread(100n, { lowE36: 90n, highE36: 105n })).toBe(0.1)
  expect(toSpread(100n, { lowE36: 99n, highE36: 250n })).toBe(1.5)
  expect(toSpread(100n, { lowE36: 100n, highE36: 100n })).toBe(0)
  expect([partOf(0n, 0n), partOf(0n, 5n), partOf(3n, 4n)]).toEqual([0, 1, 0.333333])
})
