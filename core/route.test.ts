import { describe, expect, it } from 'vitest'
import type { Address } from './address.ts'
import { hopPrice, type Route, usdAlong } from './route.ts'
import { groupByToken, stepsBy, toHop } from './routePool.ts'

const [usdc, weth, pepe, first, second] = ['01', '02', '03', 'a1', 'a2'].map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
/** The pool of Uniswap's primer on the mathematics of v3: 1,540.82 USDC for one ETH. */
const primer = 2_018_382_873_588_440_326_581_633_304_624_437n
const q96 = 2n ** 96n

const ofWeth = { pool: first, base: weth, quote: usdc, baseIsToken0: false, decimals0: 6, decimals1: 18, depthUsdE18: 0n }
/** A million of the token, which has 8 decimals, for one ETH: 10^-6 x 10^10 in smallest units, 100 as a root. */
const ofPepe = { pool: second, base: pepe, quote: weth, baseIsToken0: true, decimals0: 8, decimals1: 18, depthUsdE18: 0n }

describe('the price along a route', () => {
  it('is that of the pool, in whole tokens of whatever decimals', () => {
    expect(usdAlong([ofWeth], () => primer)).toBe(1_540_820_552_028_045_688_043n)
  })

  it('is the product of all pools on the way', () => {
    const route: Route = [ofPepe, ofWeth]
    // 1,540.820552028045688043… / 10^6, to 18 decimals.
    expect(usdAlong(route, (pool) => (pool === first ? primer : 100n * q96))).toBe(1_540_820_552_028_045n)
  })

  it('of a dollar is a dollar, and none where a pool has no price', () => {
    expect(usdAlong([], () => undefined)).toBe(10n ** 18n)
    expect(usdAlong([ofPepe, ofWeth], (pool) => (pool === first ? primer : undefined))).toBeUndefined()
    expect(usdAlong([ofPepe, ofWeth], (pool) => (pool === first ? 0n : q96))).toBeUndefined()
  })

  it('keeps its figures where it is tiny', () => {
    // 10^-12 ETH for a token: 10^-2 in smallest units, a tenth as a root.
    expect(usdAlong([ofPepe, ofWeth], (pool) => (pool === first ? primer : q96 / 10n))).toBe(1_540_820_552n)
  })
})

it('a hop has its price on either side of the pool', () => {
  const { numerator, denominator } = hopPrice({ baseIsToken0: true, decimals0: 18, decimals1: 18 }, 3n * q96)
  expect(numerator / denominator).toBe(9n)
  const inverse = hopPrice({ baseIsToken0: false, decimals0: 18, decimals1: 18 }, 3n * q96)
  expect(inverse.denominator / inverse.numerator).toBe(9n)
})

describe('a pool as a step', () => {
  const pool = { address: first, token0: usdc, token1: weth }
  const decimals = new Map([
    [usdc, 6],
    [weth, 18],
  ])

  it('goes from its other token, whichever side that is on', () => {
    expect(stepsBy(decimals)(pool, usdc)).toMatchObject({
      base: weth,
      quote: usdc,
      baseIsToken0: false,
      decimals0: 6,
      decimals1: 18,
    })
    expect(stepsBy(decimals)(pool, weth)).toMatchObject({ base: usdc, quote: weth, baseIsToken0: true })
  })

  it('is none while the decimals of one of its tokens are not known', () => {
    expect(stepsBy(new Map([[usdc, 6]]))(pool, usdc)).toBeUndefined()
  })

  it('is as deep as what trades in its quote, in dollars', () => {
    const window = { sqrtPriceX96: primer, depth0: 2_500_000_000n, depth1: 10n ** 18n, isSettled: true }
    const market = { ...pool, sqrtPriceX96: primer, window }
    // 2,500 USDC at a dollar; one ETH at 1,500.
    expect(toHop(market, usdc, 10n ** 18n, stepsBy(decimals))?.depthUsdE18).toBe(2_500n * 10n ** 18n)
    expect(toHop(market, weth, 1_500n * 10n ** 18n, stepsBy(decimals))?.depthUsdE18).toBe(1_500n * 10n ** 18n)
    expect(toHop({ ...market, window: { ...window, sqrtPriceX96: 0n } }, usdc, 1n, stepsBy(decimals))).toBeUndefined()
  })

  it('is one of both of its tokens', () => {
    const other = { token0: pepe, token1: weth }
    const groups = groupByToken([pool, other])
    expect([usdc, weth, pepe, first].map((token) => groups.get(token))).toEqual([[pool], [pool, other], [other], undefined])
  })
})
