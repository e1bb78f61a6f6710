import { describe, expect, it } from 'vitest'
import { halfTrustDepth, quietDaysOf, type TrustFacts, trustPrice } from './priceTrust.ts'

const usd = (dollars: number) => BigInt(dollars) * 10n ** 18n
const day = 86_400

/** 90,000 dollars deep with a floor of 1,000: 90 parts of 100. */
const sound: TrustFacts = {
  ...{ depthUsdE18: usd(90_000), depthFloorUsdE18: usd(1_000), quietSeconds: 60 },
  ...{ tier: 'established', spread: 0 },
}
const trust = (facts: Partial<TrustFacts> = {}) => trustPrice({ ...sound, ...facts })

describe('the trust in a price', () => {
  it('grows with its depth: half of it at ten floors, never all of it', () => {
    const depths = [0, 100, 1_000, 10_000, 90_000, 990_000, 1_000_000_000].map(usd)
    expect(depths.map((depthUsdE18) => trust({ depthUsdE18 }))).toEqual([0, 0.01, 0.09, 0.5, 0.9, 0.99, 1])
  })

  it('takes a floor of less than a dollar for a dollar', () => {
    for (const floor of [0n, 1n, usd(1)]) {
      expect(trust({ depthUsdE18: usd(10), depthFloorUsdE18: floor })).toBe(0.5)
      expect(halfTrustDepth({ depthFloorUsdE18: floor })).toBe(usd(10))
    }
    expect(halfTrustDepth({ depthFloorUsdE18: usd(2_500) })).toBe(usd(25_000))
  })

  it('falls with every quiet day after the first, to a half at thirty, and no further', () => {
    const days = [0, 1, 7, 16, 31, 400]
    expect(days.map((count) => trust({ quietSeconds: count * day }))).toEqual([0.9, 0.9, 0.81, 0.68, 0.45, 0.45])
    expect(trust({ quietSeconds: undefined })).toBe(0.45)
  })

  it('is half of it while the pools are not established, or not in named quotes', () => {
    const tiers = ['newUnnamed', 'new', 'unnamed', 'young', 'unsettled', 'established'] as const
    expect(tiers.map((tier) => trust({ tier }))).toEqual([0.45, 0.45, 0.45, 0.45, 0.45, 0.9])
  })

  it('falls with how far prices lie apart: to a half at 10 %, to a tenth at 18 % and beyond', () => {
    const spreads = [0, 0.01, 0.05, 0.1, 0.18, 0.2, 5]
    expect(spreads.map((spread) => trust({ spread }))).toEqual([0.9, 0.86, 0.68, 0.45, 0.09, 0.09, 0.09])
  })

  it('of a stable coin hangs on that alone', () => {
    const coin = { depthUsdE18: undefined, quietSeconds: undefined, tier: 'new' } as const
    expect(trust(coin)).toBe(1)
    expect(trust({ ...coin, spread: 0.05 })).toBe(0.75)
    expect(trust({ ...coin, spread: 1 })).toBe(0.1)
  })
})

it('quiet days begin after the first one, and end at thirty', () => {
  expect([-5, 0, day, 1.5 * day, 2 * day, 31 * day, 99 * day].map(quietDaysOf)).toEqual([0, 0, 0, 0.5, 1, 30, 30])
  expect(quietDaysOf(undefined)).toBe(30)
})
