import type { Address, PricedToken } from '@chainboard/core'
import { pricedStable } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { PoolHour } from './source.ts'
import { lastHours, usdByHour } from './usdHistory.ts'
import { listValuingPools, valueVolumes } from './valueVolumes.ts'

const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [usdc, weth, pepe, lone] = [address('10'), address('50'), address('60'), address('70')]
const [ethPool, pepePool, lonePool] = [address('a1'), address('a2'), address('a3')]
const q96 = 2n ** 96n
const hour = 3_600
const e18 = 10n ** 18n

const hop = (pool: Address, base: Address, quote: Address) => ({
  ...{ pool, base, quote, baseIsToken0: base < quote, decimals0: 18, decimals1: 18, depthUsdE18: 0n },
})
const toEth = { ...hop(ethPool, weth, usdc), baseIsToken0: false, decimals0: 6 }
const toPepe = { ...hop(pepePool, pepe, weth), baseIsToken0: false }
const priced = (route: PricedToken['route']): PricedToken => ({ ...pricedStable, route })
const routes = new Map([
  [usdc, priced([])],
  [weth, priced([toEth])],
  [pepe, priced([toPepe, toEth])],
])
const pools = [
  { address: ethPool, token0: usdc, token1: weth },
  { address: pepePool, token0: weth, token1: pepe },
  { address: lonePool, token0: pepe, token1: lone },
]
/** The root of 10^12 / n dollars: one ETH for n dollars, where USDC has 6 decimals. */
const ethAt = (root: bigint) => (q96 * 10n ** 6n) / root
const at = (start: number, sqrtPriceX96: bigint) => ({ startSeconds: start * hour, sqrtPriceX96 }) as PoolHour
const poolHours = new Map([
  [ethPool, [at(1, ethAt(40n)), at(3, ethAt(50n))]],
  // 100 of the token for one ETH, from the second hour on.
  [pepePool, [at(2, 10n * q96)]],
])
const hours = [1, 2, 3].map((n) => n * hour)

describe('prices of past hours', () => {
  it('are those at the end of each, that of the last trade where there was none', () => {
    const dollars = (route: PricedToken['route']) =>
      usdByHour(route, hours, poolHours).map(({ atSeconds, value }) => [
        atSeconds / hour,
        Math.round(Number(value / 10n ** 14n)) / 10_000,
      ])
    expect(dollars([toEth])).toEqual([
      [1, 1_600],
      [2, 1_600],
      [3, 2_500],
    ])
    // None before the pool was there.
    expect(dollars([toPepe, toEth])).toEqual([
      [2, 16],
      [3, 25],
    ])
    expect(usdByHour([], [7], poolHours)).toEqual([{ atSeconds: 7, value: e18 }])
  })

  it('are of the last so many hours, the running one among them', () => {
    expect(lastHours(7 * hour + 59, 3)).toEqual([5 * hour, 6 * hour, 7 * hour])
    expect(lastHours(7 * hour, 1)).toEqual([7 * hour])
  })
})

describe('what pools traded', () => {
  const value = (volumes: Parameters<typeof valueVolumes>[0]['volumes']) => {
    const decimals = new Map([
      [usdc, 6],
      [weth, 18],
      [pepe, 18],
    ])
    const found = valueVolumes({ volumes, pools, routes, decimals, hours, poolHours })
    return new Map([...found].map(([pool, usdE18]) => [pool, Math.round(Number(usdE18 / 10n ** 12n)) / 1e6]))
  }
  const volume = (pool: Address, start: number, volume0: bigint, volume1: bigint) => ({
    ...{ pool, startSeconds: start * hour, volume0, volume1 },
  })

  it('is valued by the side that is nearer to dollars, at its price in the hour', () => {
    const eth = [volume(ethPool, 1, 1_500_000_000n, e18), volume(ethPool, 3, -2_000_000n, 9n * e18)]
    // Dollars count for themselves, whatever the other side says.
    expect(value(eth)).toEqual(new Map([[ethPool, 1_502]]))
    const token = [volume(pepePool, 2, e18, 7n), volume(pepePool, 3, -2n * e18, 7n)]
    expect(value(token)).toEqual(new Map([[pepePool, 1_600 + 5_000]]))
  })

  it('counts nothing in hours without a price, and in pools that nobody knows', () => {
    expect(value([volume(lonePool, 1, e18, 0n), volume(lonePool, 2, 2n * e18, 0n)])).toEqual(new Map([[lonePool, 32]]))
    expect(value([volume(address('ff'), 1, e18, e18), volume(ethPool, 9, 5n, 5n)])).toEqual(new Map())
  })

  it('needs the pools on the way of what is valued, and no others', () => {
    expect(listValuingPools({ pools, routes })).toEqual(new Set([ethPool, pepePool]))
    expect(listValuingPools({ pools: pools.slice(0, 1), routes })).toEqual(new Set())
    expect(listValuingPools({ pools, routes: new Map() })).toEqual(new Set())
  })
})
