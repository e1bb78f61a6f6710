import { describe, expect, it } from 'vitest'
import type { Address } from './address.ts'
import { findRoutes } from './findRoutes.ts'
import { priceStables } from './priceStables.ts'
import { type RoutePool, stepsBy } from './routePool.ts'

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Address
const [usdc, usdt, dai, native, own] = [1, 2, 3, 10, 20].map(address) as [Address, Address, Address, Address, Address]
const decimals = new Map([usdc, usdt, dai, native, own].map((token) => [token, 18]))
const q96 = 2n ** 96n
/** Roots of token1 per token0, times 2^96, that make a token1 worth 1, 0.8836, 0.9409, 0.9901 and 0.9950 token0. */
const at = {
  p100: q96,
  p88: (q96 * 100n) / 94n,
  p94: (q96 * 100n) / 97n,
  p9901: (q96 * 1_000_000n) / 995_038n,
  p995: (q96 * 1_000_000n) / 997_497n,
}
let nextPool = 100

function pool(token0: Address, token1: Address, root: bigint, units: number, rest: Partial<RoutePool> = {}): RoutePool {
  nextPool += 1
  const depth = BigInt(units) * 10n ** 18n
  return {
    address: address(nextPool),
    ...{ token0, token1 },
    // The last price says nothing.
    sqrtPriceX96: 7n * q96,
    window: { sqrtPriceX96: root, depth0: depth, depth1: depth, isSettled: true },
    isEstablished: true,
    ...rest,
  }
}

const request = (pools: readonly RoutePool[], stables = [usdc, usdt, dai]) => ({
  ...{ pools, stables, stepTo: stepsBy(decimals) },
  depthFloorUsdE18: 50n * 10n ** 18n,
})
const worth = (pools: readonly RoutePool[], stables?: Address[]) =>
  Object.fromEntries(
    [...priceStables(request(pools, stables))].map(([token, { usdE18 }]) => [Number(token), (Number(usdE18) / 1e18).toFixed(4)]),
  )

describe('a stable coin', () => {
  it('counts what its pool with the unit says once that is over 1 % off, and the unit is a dollar by definition', () => {
    expect(worth([pool(usdc, usdt, at.p88, 6_000)])).toEqual({ 1: '1.0000', 2: '0.8836', 3: '1.0000' })
    // The unit fell: the others are worth more of it.
    expect(worth([pool(usdt, usdc, at.p88, 6_000)])).toEqual({ 1: '1.0000', 2: '1.1317', 3: '1.0000' })
    expect(worth([pool(usdc, usdt, at.p995, 6_000)])).toEqual({ 1: '1.0000', 2: '1.0000', 3: '1.0000' })
    expect(worth([pool(usdc, usdt, at.p9901, 6_000)])).toEqual({ 1: '1.0000', 2: '1.0000', 3: '1.0000' })
  })

  it('is not moved by one cheap pool beside a deep one', () => {
    expect(worth([pool(usdc, usdt, at.p88, 4_000), pool(usdc, usdt, at.p100, 6_000)])).toEqual({
      ...{ 1: '1.0000', 2: '1.0000', 3: '1.0000' },
    })
  })

  it('is not moved by pools with less than 100 floors behind what they say, all together', () => {
    expect(worth([pool(usdc, usdt, at.p88, 4_999)])).toEqual({ 1: '1.0000', 2: '1.0000', 3: '1.0000' })
    expect(worth([pool(usdc, usdt, at.p88, 2_500), pool(usdc, usdt, at.p88, 2_500)])[2]).toBe('0.8836')
    // Pools that disagree are not behind one another.
    expect(worth([pool(usdc, usdt, at.p88, 2_600), pool(usdc, usdt, at.p94, 2_500)])[2]).toBe('1.0000')
  })

  it.each([
    ['that has not traded for an hour yet', pool(usdc, usdt, at.p88, 9_000, { isEstablished: false })],
    ['with the native coin', pool(native, usdt, at.p88, 9_000)],
    ['with a token of somebody', pool(usdt, own, at.p88, 9_000)],
    ['without decimals', pool(usdc, address(99), at.p88, 9_000)],
  ])('is not moved by a pool %s', (_, only) => {
    expect(worth([only], [usdc, usdt, address(99)])[2]).toBe('1.0000')
  })

  it('is held against another coin that is held against the unit', () => {
    // A dai is 0.94 usdt, which is 0.88 usdc. No more depth counts than is behind the usdt.
    const chained = [pool(usdc, usdt, at.p88, 6_000), pool(usdt, dai, at.p94, 9_000)]
    expect(worth(chained)).toEqual({ 1: '1.0000', 2: '0.8836', 3: '0.8314' })
    expect(priceStables(request(chained)).get(dai)?.settled.depthUsdE18).toBeLessThanOrEqual(6_000n * 10n ** 18n)
    expect(worth([pool(usdt, dai, at.p88, 9_000)])).toEqual({ 1: '1.0000', 2: '1.0000', 3: '1.0000' })
    // The usdt is taken at its word: what hangs on it says nothing of a dollar.
    expect(worth([pool(usdc, usdt, at.p88, 4_000), pool(usdt, dai, at.p88, 9_000)])[3]).toBe('1.0000')
  })

  it('needs no unit, and may be named twice', () => {
    expect(worth([], [])).toEqual({})
    expect(worth([pool(usdc, usdt, at.p88, 6_000)], [usdc, usdt, usdc, usdt])).toEqual({ 1: '1.0000', 2: '0.8836' })
  })
})

it('what is priced in a coin off its peg follows it, and pools with the unit outweigh those with the coin', () => {
  const rules = { wrappedNative: native, quotes: [] }
  const coin = pool(usdc, usdt, at.p88, 6_000)
  const usd = (pools: readonly RoutePool[], takesStablesAtWord = false) =>
    (Number(findRoutes({ ...request(pools), ...rules, takesStablesAtWord }).found.get(own)?.usdE18) / 1e18).toFixed(4)
  expect(usd([coin, pool(usdt, own, at.p100, 900)])).toBe('0.8836')
  expect(usd([coin, pool(usdt, own, at.p100, 900)], true)).toBe('1.0000')
  expect(usd([coin, pool(usdt, own, at.p100, 90_000), pool(usdc, own, at.p100, 7_000)])).toBe('1.0000')
})
