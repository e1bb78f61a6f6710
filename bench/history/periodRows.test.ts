import { expect, it } from 'vitest'
import { at } from '../../devnet/at.ts'
import { fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { roundSwaps } from '../../server/testing/fabricated/fabricatedPool.ts'
import { createPeriods, toPoolPeriod, tradePool } from './periodRows.ts'

const options = {
  seed: 'periods',
  chainId: 1,
  blocks: 2_000,
  pools: 3,
  swaps: 400,
  periodSeconds: 60,
  headSeconds: 1_790_000_000,
}
const chain = fabricateChain(options)
const decimals = new Map([...chain.tokens.values()].map(({ address, decimals: of }) => [address, of]))
const pools = chain.pools.map((pool) => tradePool(pool, decimals))
const pool = at(pools, 0)
const abs = (value: bigint) => (value < 0n ? -value : value)

it('ends where each swap of the chain leaves the pool', () => {
  const swaps = 2 * roundSwaps + 5
  let [reserve0, volume1] = [pool.stateAfter(0).reserve0, 0n]
  for (let n = 0; n < swaps; n += 1) {
    const { amount0, amount1 } = at(pool.own.round, n % roundSwaps)
    reserve0 += amount0
    volume1 += abs(amount1)
  }
  const state = pool.stateAfter(swaps)
  expect(state.reserve0).toBe(reserve0)
  expect(state.totalVolume1).toBe(volume1)
  expect(state.sqrtPriceX96).toBe(at(pool.own.round, 4).pool.sqrtPriceX96)
  // Creation and first liquidity count, too.
  expect(state.txCount).toBe(swaps + 2)
})

it('takes the first, highest and lowest price of the swaps of a period', () => {
  const period = toPoolPeriod(pool, 3_600, 10, 13)
  const prices = [10, 11, 12].map((n) => at(pool.own.round, n).pool.sqrtPriceX96)
  expect(period.open).toBe(prices[0])
  expect([period.low, period.high]).toEqual([prices.reduce((a, b) => (a < b ? a : b)), prices.reduce((a, b) => (a > b ? a : b))])
  expect([period.startSeconds, period.swapCount, period.eventCount]).toEqual([3_600, 3, 3])
})

it('splits what a pool traded, without losing or counting anything twice', () => {
  const [whole, first, second] = [toPoolPeriod(pool, 0, 0, 60), toPoolPeriod(pool, 0, 0, 25), toPoolPeriod(pool, 0, 25, 60)]
  expect(first.volume0 + second.volume0).toBe(whole.volume0)
  expect(first.volumeUsdE18 + second.volumeUsdE18).toBe(whole.volumeUsdE18)
  expect(second.reserve1).toBe(whole.reserve1)
})

it('gives every swap of the chain to one period, and to both tokens of its pool', () => {
  const periods = createPeriods(chain, pools)
  const total = chain.swapsUntil(options.blocks)
  const made = [100, 100, 250, total].map((until, i) => periods.next(i * 3_600, until))
  expect(made.map((rows) => rows?.pools.reduce((sum, { swapCount }) => sum + swapCount, 0))).toEqual([
    100,
    undefined,
    150,
    total - 250,
  ])
  expect(periods.done.reduce((sum, swaps) => sum + swaps, 0)).toBe(total)
  expect(made[3]?.exchange.txCount).toBe(total - 250)
  const usdOfPools = made.map((rows) => rows?.pools.reduce((sum, { volumeUsdE18 }) => sum + volumeUsdE18, 0n) ?? 0n)
  const usdOfTokens = made.map((rows) => rows?.tokens.reduce((sum, { volumeUsdE18 }) => sum + volumeUsdE18, 0n) ?? 0n)
  expect(usdOfTokens).toEqual(usdOfPools.map((usd) => 2n * usd))
  expect(made.map((rows) => rows?.exchange.volumeUsdE18 ?? 0n)).toEqual(usdOfPools)
  expect(periods.next(9 * 3_600, total)).toBeUndefined()
})
