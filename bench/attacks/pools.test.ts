import { expect, it } from 'vitest'
import {
  type LabPool,
  type LabToken,
  snapPrice,
  spacingOf,
  toLabPool,
  toPosition,
  toRange,
  toRawAmount,
  toSqrtX96,
} from './pools.ts'

const low: LabToken = { symbol: 'LOW', address: `0x${'11'.repeat(20)}`, decimals: 18 }
const high: LabToken = { symbol: 'HIGH', address: `0x${'99'.repeat(20)}`, decimals: 18 }
const dollar: LabToken = { symbol: 'USD', address: `0x${'aa'.repeat(20)}`, decimals: 6 }
const pool: LabPool = toLabPool(low, high, 3_000)
const q96 = 2n ** 96n

it('knows which token is the first, by the address alone', () => {
  expect(pool.baseIsToken0).toBe(true)
  const other = toLabPool(high, low, 3_000)
  expect(other.baseIsToken0).toBe(false)
  expect(other.address).toBe(pool.address)
  expect(toLabPool(low, high, 500).address).not.toBe(pool.address)
})

it('turns a price in whole tokens into the root that a pool keeps', () => {
  expect(toSqrtX96(pool, 1)).toBe(q96)
  expect(toSqrtX96(pool, 4)).toBe(2n * q96)
  // Of the second token: 4 of the first for one is 1/4 in the pool's own direction.
  expect(toSqrtX96(toLabPool(high, low, 3_000), 4)).toBe(q96 / 2n)
  // 1 for a dollar of 6 decimals: 10^6 for 10^18 in the smallest units, whose root is 10^-6.
  expect(Number(toSqrtX96(toLabPool(low, dollar, 500), 1)) / 2 ** 96).toBeCloseTo(1e-6, 15)
})

it('snaps prices and ranges to the grid of the fee', () => {
  expect([500, 3_000, 10_000].map((fee) => spacingOf({ ...pool, fee }))).toEqual([10, 60, 200])
  expect(snapPrice(pool, 1)).toEqual({ tick: 0, sqrtX96: q96 })
  // 1.0001^100 is 1.01005: the nearest multiple of 60 is 120.
  expect(snapPrice(pool, 1.01005).tick).toBe(120)
  // ln(2) / ln(1.0001) = 6931.8: 6960 is nearer than 6900.
  expect(toRange(pool, 2, 0.5)).toEqual({ tickLower: -6_960, tickUpper: 6_960 })
  expect(toRange(pool, 0.5, 2)).toEqual({ tickLower: -6_960, tickUpper: 6_960 })
})

it('makes the largest position that both amounts pay for', () => {
  // Around the price 1, from a quarter of it to four times it (ticks of 13863 snap to 13860): liquidity = amount1 / (1 - 1/2).
  const range = toRange(pool, 0.25, 4)
  const { liquidity } = toPosition(pool, range, { sqrtX96: q96, base: 100, quote: 10 })
  expect(Number(liquidity) / 1e18).toBeCloseTo(20, 1)
  // Above the price only the first token is needed.
  const above = toPosition(pool, toRange(pool, 2, 4), { sqrtX96: q96, base: 10, quote: 0 })
  expect(Number(above.liquidity) / 1e18).toBeCloseTo(10 / (1 / Math.SQRT2 - 1 / 2), 0)
})

it('keeps six digits of whole tokens', () => {
  expect(toRawAmount(low, 1.5)).toBe(1_500_000_000_000_000_000n)
  expect(toRawAmount(dollar, 0.000_001)).toBe(1n)
  expect(toRawAmount(dollar, 12_345.678_9)).toBe(12_345_678_900n)
})
