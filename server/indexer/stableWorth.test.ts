import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { dollars, firstHour, fold, hour, open, openMarket, pool, put, swapOf, token } from '../testing/foldedMarket.ts'
import { usdc } from '../testing/market.ts'
import { foldBlock, priceOf, type World } from './world.ts'

const [usdt, gamma] = ['11', '30'].map((byte) => `0x${byte.repeat(20)}`) as [Address, Address]
const [coinPool, gammaPool] = ['c1', 'c2'].map((byte) => `0x${byte.repeat(20)}`) as [Address, Address]
const q96 = 2n ** 96n
/** A USDT is worth 1 USDC; 0.8836. */
const at = { p100: q96, p88: (q96 * 100n) / 94n }
const one = { amount0: -1_000_000n, amount1: 1_000_000n }

/** USDT beside USDC, in a pool of a million of both or of less, and GAMMA that has a pool with USDT alone: 1 USDT. */
function openCoins(liquidity = 10n ** 13n): World {
  const market = openMarket()
  const world: World = { ...market, valuation: { ...market.valuation, stables: [usdc, usdt] } }
  for (const each of [token(usdt, 6), token(gamma, 6)]) world.tokens.set(each.address, each)
  put(world, pool(coinPool, usdc, usdt))
  put(world, pool(gammaPool, usdt, gamma))
  for (const event of open(coinPool, at.p100, [liquidity, liquidity, liquidity])) fold(world, event)
  for (const event of open(gammaPool, at.p100, [10n ** 13n, 10n ** 13n, 10n ** 13n])) fold(world, event)
  trade(world, coinPool, at.p100, firstHour + 10)
  trade(world, gammaPool, at.p100, firstHour + 11)
  // An hour later both are established.
  trade(world, gammaPool, at.p100, firstHour + 2 * hour)
  return world
}

const trade = (world: World, of: Address, sqrtPriceX96: bigint, atSeconds: number) =>
  fold(world, { ...swapOf(of, { sqrtPriceX96, ...one }, atSeconds), liquidity: world.pools.get(of)?.liquidity ?? 0n })
const now = firstHour + 2 * hour

it('a coin that lastingly trades at 0.88 of the unit counts so, with all that is priced in it, from half of the window on', () => {
  const world = openCoins()
  trade(world, coinPool, at.p88, now + 10)
  expect(trade(world, gammaPool, at.p100, now + 300)?.usdE18).toBe(dollars(1))
  expect(trade(world, gammaPool, at.p100, now + 320)?.usdE18).toBe(883_600_000_000_000_000n)
  expect(priceOf(world, gamma, now + 320)).toBe(883_600_000_000_000_000n)
  // The unit is a dollar by definition, and what is priced by it is what it was.
  expect(priceOf(world, usdc, now + 320)).toBe(dollars(1))
  // 10 million of both: 10 + 8.836.
  trade(world, coinPool, at.p88, now + 330)
  expect(Number(world.pools.get(coinPool)?.tvlUsdE18) / 1e24).toBeCloseTo(18.836, 3)
})

it('a pool that is bent within a block, or for less than half of the window, moves no dollar', () => {
  const world = openCoins()
  foldBlock(world, [
    swapOf(coinPool, { sqrtPriceX96: at.p88, ...one }, now + 10),
    { ...swapOf(gammaPool, { sqrtPriceX96: at.p100, ...one }, now + 10), logIndex: 1 },
    { ...swapOf(coinPool, { sqrtPriceX96: at.p100, ...one }, now + 10), logIndex: 2 },
  ])
  expect(priceOf(world, usdt, now + 10)).toBe(dollars(1))
  trade(world, coinPool, at.p88, now + 20)
  trade(world, coinPool, at.p100, now + 300)
  for (const at of [250, 310, 400, 600]) expect(priceOf(world, gamma, now + at)).toBe(dollars(1))
})

it('a pool with less than a hundred floors behind it never does', () => {
  // 400,000 USDC of liquidity: 4,000 within 2 %, where 5,000 are wanted.
  const world = openCoins(4n * 10n ** 11n)
  trade(world, coinPool, at.p88, now + 10)
  expect(world.pools.get(coinPool)?.depth0).toBeGreaterThan(3_500_000_000n)
  expect(world.pools.get(coinPool)?.depth0).toBeLessThan(5_000_000_000n)
  expect(priceOf(world, gamma, now + 900)).toBe(dollars(1))
})

it('a trade between two coins that count as a dollar is worth what its side in the unit is', () => {
  const world = openCoins()
  const amounts = { amount0: -990_000n, amount1: 1_000_000n }
  expect(fold(world, swapOf(coinPool, { sqrtPriceX96: at.p100, ...amounts }, now + 10))?.usdE18).toBe(dollars(0.99))
})
