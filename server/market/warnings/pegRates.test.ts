import type { Address, RoutePool } from '@chainboard/core'
import { expect, it } from 'vitest'
import { findPegRanges, rateStables } from './pegRates.ts'

const coin = (n: number) => `0x${String(n).repeat(40)}` as Address
const [usdc, usdt, dai, ember] = [coin(1), coin(2), coin(3), coin(4)]
const q96 = 2n ** 96n
/** Roots of token1 per token0, times 2^96, for prices of 0.81, 0.96, 1 and 1.21. */
const at = { p81: (q96 * 9n) / 10n, p96: (q96 * 979_795_897n) / 1_000_000_000n, p100: q96, p121: (q96 * 11n) / 10n }
/** Within 2 % of the price: as much as 100 floors of $10. */
const thousand = 1_000_000_000n

let opened = 1
const pool = (token0: Address, token1: Address, median: bigint, rest: Partial<RoutePool & { lastSwapAtSeconds: number }> = {}) =>
  ({
    address: `0x${(opened++).toString(16).padStart(40, '0')}` as Address,
    ...{ token0, token1, sqrtPriceX96: median, isEstablished: true, fee: 500, lastSwapAtSeconds: 6_400 },
    window: { sqrtPriceX96: median, depth0: thousand, depth1: thousand, isSettled: true },
    ...rest,
  }) as const
const find = (pools: readonly ReturnType<typeof pool>[], stables = [usdc, usdt]) => {
  const decimals = new Map([usdc, usdt, dai, ember].map((token) => [token, 6]))
  const ranges = findPegRanges(
    rateStables({
      stables,
      named: new Set([...stables, dai, ember]),
      pools,
      decimals,
      depthFloorUsdE18: 10n ** 19n,
      nowSeconds: 10_000,
    }),
  )
  const toText = ({ lowE18, highE18 }: { lowE18: bigint; highE18: bigint }) =>
    [lowE18, highE18].map((e18) => (Number(e18) / 1e18).toFixed(4))
  return new Map(
    [...ranges].map(([token, { now, settled }]) => [token, { now: toText(now), settled: settled && toText(settled) }]),
  )
}

it('of two coins that disagree each may be the one: both ranges hold a dollar and what the other says, with the fee of the pool', () => {
  const found = find([pool(usdc, usdt, at.p81)])
  expect(found.get(usdc)).toEqual({ now: ['0.8096', '1.0000'], settled: ['0.8096', '1.0000'] })
  expect(found.get(usdt)?.settled).toEqual(['1.0000', '1.2352'])
})

it('a last trade is in the range of the coin alone until the median follows', () => {
  expect(find([pool(usdc, usdt, at.p100, { sqrtPriceX96: at.p81 })]).get(usdc)).toEqual({
    now: ['0.8096', '1.0000'],
    settled: undefined,
  })
})

it('while the median is on its way, what is priced in the coin holds the last trade as well', () => {
  // 0.9604, and 0.81 after the last trade.
  const root = (q96 * 98n) / 100n
  const late = { sqrtPriceX96: at.p81, window: { sqrtPriceX96: root, depth0: thousand, depth1: thousand, isSettled: true } }
  expect(find([pool(usdc, usdt, root, late)]).get(usdc)?.settled).toEqual(['0.8096', '1.0000'])
})

it('a coin that most others agree with has no range', () => {
  expect([
    ...find([pool(usdc, usdt, at.p121), pool(usdt, dai, at.p81), pool(usdc, dai, at.p100)], [usdc, usdt, dai]).keys(),
  ]).toEqual([usdt])
})

it('coins without a common pool are held against each other by what the same token costs in both', () => {
  // Ember costs 1 USDC and 0.81 USDT: a USDC is worth 0.81 USDT.
  const found = find([pool(usdc, ember, at.p100), pool(usdt, ember, at.p121)])
  expect(found.get(usdc)?.settled).toEqual(['0.8256', '1.0000'])
  expect(found.get(usdt)?.settled).toEqual(['1.0000', '1.2112'])
})

it('by another token 4 % are not off enough when a part of it is the fees of both pools', () => {
  expect(find([pool(usdc, ember, at.p100), pool(usdt, ember, (q96 * 990n) / 1_000n)]).size).toBe(0)
  expect(find([pool(usdc, ember, at.p100), pool(usdt, ember, at.p96)]).size).toBe(2)
})

it('a pool with another token that has not traded for an hour says nothing: that token may have moved', () => {
  const quiet = { lastSwapAtSeconds: 6_399 }
  expect(find([pool(usdc, ember, at.p100), pool(usdt, ember, at.p121, quiet)]).size).toBe(0)
  expect(find([pool(usdc, usdt, at.p81, quiet)]).size).toBe(2)
})

it('a token that is no quote of the network, as anybody may have made it, says nothing of coins', () => {
  const junk = coin(9)
  const decimals = new Map([usdc, usdt, junk].map((token) => [token, 6]))
  const request = { stables: [usdc, usdt], decimals, depthFloorUsdE18: 10n ** 19n, nowSeconds: 10_000 }
  const pools = [pool(usdc, junk, at.p100), pool(usdt, junk, at.p121)]
  const count = (named: readonly Address[]) => rateStables({ ...request, pools, named: new Set(named) }).get(usdc)?.length
  expect([count([usdc, usdt]), count([usdc, usdt, junk])]).toEqual([0, 1])
})

/** Pools with so many dollars within 2 % of the price. */
const deep = (token0: Address, token1: Address, median: bigint, dollars: bigint, lastSwapAtSeconds = 6_400) =>
  pool(token0, token1, median, {
    window: { sqrtPriceX96: median, depth0: dollars * 1_000_000n, depth1: dollars * 1_000_000n, isSettled: true },
    lastSwapAtSeconds,
  })

it('pools of two coins come first if they have a quarter of the depth of those with the same tokens', () => {
  const shared = [deep(usdc, ember, at.p100, 8_000n), deep(usdt, ember, at.p100, 9_000n)]
  expect(find([...shared, deep(usdc, usdt, at.p81, 1_999n)]).size).toBe(0)
  expect(find([...shared, deep(usdc, usdt, at.p81, 2_000n)]).size).toBe(2)
})

it('two small pools do not mark the third coin, which deep ones with the same tokens clear', () => {
  const stables = [usdc, usdt, dai]
  const honest = [deep(usdc, usdt, at.p100, 9_000n), ...stables.map((coin) => deep(coin, ember, at.p100, 9_000n))]
  expect(find([...honest, deep(usdc, dai, at.p81, 1_100n), deep(usdt, dai, at.p81, 1_100n)], stables).size).toBe(0)
})

it('a token that has just traded does not speak for deeper ones that are quiet', () => {
  const other = dai
  const bent = (dollars: bigint) => [deep(usdc, other, at.p100, dollars), deep(usdt, other, at.p81, dollars)]
  const quiet = [deep(usdc, ember, at.p100, 4_000n, 6_399), deep(usdt, ember, at.p100, 4_000n, 6_399)]
  expect(find([...quiet, ...bent(3_999n)]).size).toBe(0)
  expect(find([...quiet, ...bent(4_000n)]).size).toBe(2)
})

it('a small pool that has just traded does not speak for deep quiet ones of its coin, however little the other coin has', () => {
  const [few, deepQuiet] = [deep(usdc, ember, at.p100, 8_000n), deep(usdt, ember, at.p100, 1_000_000n, 6_399)]
  expect(find([few, deepQuiet, deep(usdt, ember, at.p81, 8_000n)]).size).toBe(0)
  expect(find([few, deep(usdt, ember, at.p81, 8_000n)]).size).toBe(2)
})

it('of one token, pools of every fee count once', () => {
  // A token's pools with $300 of each coin in four fee tiers are $1,200 of depth, not sixteen comparisons of $300.
  const tiers = (token: Address, median: bigint, dollars: bigint) =>
    [1, 2, 3, 4].flatMap(() => [deep(usdc, token, at.p100, dollars), deep(usdt, token, median, dollars)])
  expect(find([...tiers(dai, at.p81, 300n), deep(usdc, ember, at.p100, 2_000n), deep(usdt, ember, at.p100, 2_000n)]).size).toBe(0)
})

it('less than a hundred floors say nothing, as they set no price of a coin', () => {
  expect(find([deep(usdc, usdt, at.p81, 999n)]).size).toBe(0)
  expect(find([deep(usdc, ember, at.p100, 999n), deep(usdt, ember, at.p81, 999n)]).size).toBe(0)
  // Neither is it enough in one of the coins alone.
  const half = { sqrtPriceX96: at.p81, depth0: 2n * thousand, depth1: thousand - 1n, isSettled: true }
  expect(find([pool(usdc, usdt, at.p81, { window: half })]).size).toBe(0)
  // What agrees with the rate is what counts.
  expect(find([deep(usdc, usdt, at.p81, 600n), deep(usdc, usdt, at.p100, 500n)]).size).toBe(0)
})

it('one coin alone, a young pool and one under the floor say nothing', () => {
  const small = { sqrtPriceX96: at.p81, depth0: 9_000_000n, depth1: 9_000_000n, isSettled: true }
  expect(find([pool(usdc, ember, at.p81)], [usdc]).size).toBe(0)
  expect(find([pool(usdc, usdt, at.p81, { isEstablished: false })]).size).toBe(0)
  expect(find(Array.from({ length: 200 }, () => pool(usdc, usdt, at.p81, { window: small }))).size).toBe(0)
})
