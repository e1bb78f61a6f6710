import { type Address, noDepth } from '@chainboard/core'
import { expect, it } from 'vitest'
import { emptyPoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import { comparePool } from './comparePool.ts'
import { pickPools } from './pickPools.ts'

const addressOf = (i: number) => `0x${i.toString(16).padStart(40, '0')}` as Address
const poolOf = (i: number, lastSwapAtSeconds?: number): Pool => ({
  ...emptyPoolState,
  ...{ address: addressOf(i), token0: addressOf(1_001), token1: addressOf(1_002), fee: 500, tickSpacing: 10, createdBlock: 1 },
  ...{ ...noDepth, createdAtSeconds: 0, firstSwapAtSeconds: lastSwapAtSeconds, lastSwapAtSeconds, reach: undefined },
})

it('pools that just traded come first, and those compared longest ago have half of the places', () => {
  const pools = [poolOf(1, 50), poolOf(2, 90), poolOf(3, 70), poolOf(4), poolOf(5, 95)]
  const checkedAt = [60, 40, 30, 10, 99]
  const checks = new Map(
    pools.map(({ address }, i) => [address, { pool: address, blockNumber: 1, atSeconds: checkedAt[i] as number }]),
  )
  // 2 and 3 traded since; 4 was compared longest ago, then 3.
  const numbers = (limit: number) => pickPools(pools, checks, limit).map(({ address }) => Number(address))
  expect(numbers(2)).toEqual([2, 4])
  expect(numbers(4)).toEqual([2, 3, 4, 1])
  expect(numbers(9)).toEqual([2, 3, 4, 1, 5])
})

it('a pool that nothing ever happened to has its turn, too', () => {
  const quiet = poolOf(7)
  const busy = Array.from({ length: 20 }, (_, i) => poolOf(100 + i, 1_000 + i))
  const checks = new Map(busy.map(({ address }) => [address, { pool: address, blockNumber: 1, atSeconds: 5 }]))
  expect(pickPools([...busy, quiet], checks, 4)).toContain(quiet)
})

it.each([
  ['agrees', {}, undefined],
  ['has another price', { sqrtPriceX96: 8n }, 'price'],
  ['has another tick at the same price', { tick: 4 }, 'price'],
  ['has other liquidity', { liquidity: 1n }, 'liquidity in range'],
  ['took a fee that no event shows', { feeGrowth1: 12n }, 'fee growth'],
])('a contract that %s', (_name, other, difference) => {
  const pool = { ...poolOf(1), sqrtPriceX96: 7n, tick: 3, liquidity: 2n, feeGrowth0: 10n, feeGrowth1: 11n }
  const reading = { sqrtPriceX96: 7n, tick: 3, liquidity: 2n, feeGrowth0: 10n, feeGrowth1: 11n, ...other }
  expect(comparePool(pool, reading)).toBe(difference)
  // Where fee growth is not worked out, the rest is still compared.
  const unknown = { ...pool, feeGrowth0: undefined, feeGrowth1: undefined }
  expect(comparePool(unknown, reading)).toBe(difference === 'fee growth' ? undefined : difference)
})
