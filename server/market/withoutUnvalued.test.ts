import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { PoolHistory, PoolHour } from './source.ts'
import { withoutUnvalued } from './withoutUnvalued.ts'

const [valued, added] = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`] as [Address, Address]
const hour = 3_600
const hours = Array.from({ length: 48 }, (_, i) => i * hour)

/** Every hour has a trade; of a pool that was added the newest 25 are valued. */
const history: PoolHistory = {
  listNewestSwaps: async () => [],
  listHoursCovering: async (pools) =>
    new Map(
      pools.map((pool) => [
        pool,
        hours.map(
          (startSeconds, i): PoolHour => ({
            ...{ pool, startSeconds, sqrtPriceX96: 5n, open: 5n, high: 5n, low: 5n, volume0: 1n, volume1: 1n, swapCount: 1 },
            volumeUsdE18: pool === valued || i >= 23 ? 7n : 0n,
          }),
        ),
      ]),
    ),
}

it('a pool of which only the newest hours are valued has the trades of a day, at all of its prices; others have all', async () => {
  const read = await withoutUnvalued(history).listHoursCovering([valued, added], hours)
  const swapsOf = (pool: Address) => read.get(pool)?.map(({ swapCount }) => swapCount)
  expect(swapsOf(valued)).toEqual(Array(48).fill(1))
  // Not the 25th, which would make a candle of a day of one hour.
  expect(swapsOf(added)).toEqual([...Array(24).fill(0), ...Array(24).fill(1)])
  expect(read.get(added)?.map(({ sqrtPriceX96 }) => sqrtPriceX96)).toEqual(Array(48).fill(5n))
})
