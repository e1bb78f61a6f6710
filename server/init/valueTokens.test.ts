import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { SurveyedPool } from './readPools.ts'
import { reserveKey, valueTokens } from './valueTokens.ts'

const e18 = 10n ** 18n
const coin: Address = `0x${'10'.repeat(20)}`
const dollar: Address = `0x${'20'.repeat(20)}`
const moneys = new Map([[coin, { decimals: 18, valueE18: e18 }]])
const decimals = new Map([[dollar, 6]])

/** 1,000 coins and 2,000,000 dollars of 6 decimals, at every price: sqrt(2 x 10^-9) x 2^96, sqrt(10^21 x 2 x 10^12). */
const pool: SurveyedPool = {
  address: `0x${'aa'.repeat(20)}`,
  token0: coin,
  token1: dollar,
  fee: 3_000,
  sqrtPriceX96: 3_543_191_142_285_914_205_922_034n,
  liquidity: 44_721_359_549_995_793n,
}
const value = (pools: readonly SurveyedPool[], coins: bigint) =>
  valueTokens({ pools, moneys, decimals, reserves: new Map(pools.map(({ address }) => [reserveKey(address, coin), coins])) }).get(
    dollar,
  )

it('a token is worth what its deepest pool says, and as deep as what trades there within 2 %', () => {
  const found = value([pool], 1_000n * e18)
  // 1 / 2,000 of a coin; 1,000 x (1 - 1 / sqrt(1.02)) coins.
  expect(Number(found?.valueE18) / 1e18).toBeCloseTo(0.0005, 9)
  expect(Number(found?.depthE18) / 1e18).toBeCloseTo(9.8525, 3)
  const cheap = { ...pool, address: dollar, sqrtPriceX96: pool.sqrtPriceX96 * 2n, liquidity: pool.liquidity / 100n }
  expect(value([cheap, pool], 1_000n * e18)).toEqual(found)
})

it('depth is never more than the coins that the pool holds, whatever liquidity it states', () => {
  expect(value([{ ...pool, liquidity: pool.liquidity * 1_000_000n }], 3n * e18)?.depthE18).toBe(3n * e18)
})

it('a pool without liquidity, or a token without decimals, says nothing', () => {
  expect(value([{ ...pool, liquidity: 0n }], 1_000n * e18)).toBeUndefined()
  expect(value([pool], 0n)).toBeUndefined()
  expect(valueTokens({ pools: [pool], moneys, decimals: new Map(), reserves: new Map() }).size).toBe(0)
})
