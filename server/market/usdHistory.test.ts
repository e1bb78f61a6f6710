import type { Address, Route } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { PoolHour } from './source.ts'
import { lastHours, usdByHour } from './usdHistory.ts'

const q96 = 2n ** 96n
const e18 = 10n ** 18n
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [token, middle, usd, near, far] = [address('01'), address('02'), address('03'), address('a1'), address('a2')]
const hop = { decimals0: 18, decimals1: 18, baseIsToken0: true, depthUsdE18: 0n }
/** From a token over a second one to dollars: each root of 2 is a price of 4. */
const route: Route = [
  { ...hop, pool: near, base: token, quote: middle },
  { ...hop, pool: far, base: middle, quote: usd },
]
const hourOf = (pool: Address, hour: number, root: bigint): PoolHour => {
  const sqrtPriceX96 = root * q96
  return {
    ...{ pool, startSeconds: hour * 3_600, sqrtPriceX96, open: sqrtPriceX96, high: sqrtPriceX96, low: sqrtPriceX96 },
    ...{ volume0: 0n, volume1: 0n, swapCount: 1 },
  }
}
const hours = [7, 8, 9, 10].map((hour) => hour * 3_600)

describe('the last hours', () => {
  it('end with the running one, also in its first and in its last second', () => {
    expect(lastHours(36_000, 3)).toEqual([28_800, 32_400, 36_000])
    expect(lastHours(39_599, 3)).toEqual([28_800, 32_400, 36_000])
    expect(lastHours(39_600, 1)).toEqual([39_600])
    expect(lastHours(39_600, 0)).toEqual([])
  })
})

describe('prices in dollars by the hour', () => {
  const pricesOf = (own: readonly PoolHour[], behind: readonly PoolHour[]) =>
    usdByHour(
      route,
      hours,
      new Map([
        [near, own],
        [far, behind],
      ]),
    ).map(({ atSeconds, value }) => [atSeconds / 3_600, value / e18])

  it('go through every pool of the route, each at its price of that hour', () => {
    const own = [hourOf(near, 7, 2n), hourOf(near, 9, 4n)]
    const behind = [hourOf(far, 7, 1n), hourOf(far, 8, 3n), hourOf(far, 10, 1n)]
    // 4 x 1, 4 x 9, 16 x 9, 16 x 1.
    expect(pricesOf(own, behind)).toEqual([
      [7, 4n],
      [8, 36n],
      [9, 144n],
      [10, 16n],
    ])
  })

  it('begin with what a pool’s price was before the first hour', () => {
    expect(pricesOf([hourOf(near, 2, 2n)], [hourOf(far, 3, 3n)])).toEqual([7, 8, 9, 10].map((hour) => [hour, 36n]))
  })

  it('leave out the hours before the youngest pool of the route', () => {
    expect(pricesOf([hourOf(near, 2, 2n)], [hourOf(far, 9, 3n)])).toEqual([
      [9, 36n],
      [10, 36n],
    ])
    expect(pricesOf([], [hourOf(far, 7, 3n)])).toEqual([])
  })

  it('may be too small for a digit, and are prices all the same', () => {
    const dust = { ...hourOf(near, 7, 1n), sqrtPriceX96: 1n }
    expect(pricesOf([dust], [hourOf(far, 7, 1n)])).toEqual([7, 8, 9, 10].map((hour) => [hour, 0n]))
  })

  it('of dollars themselves are 1 in every hour', () => {
    expect(usdByHour([], hours, new Map()).map(({ value }) => value)).toEqual([e18, e18, e18, e18])
  })
})
