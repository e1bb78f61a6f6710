import { type Address, findRoutes, oneE18, stepsBy } from '@chainboard/core'
import { expect, it } from 'vitest'
import { answerFromPools, type MarketPool } from './answerFromPools.ts'

const address = (n: number) => `0x${String(n).repeat(40)}` as Address
const [usdc, usdt, ember] = [address(1), address(2), address(3)]
const q96 = 2n ** 96n
const pool = (token0: Address, token1: Address, sqrtPriceX96: bigint, depth: bigint): MarketPool => ({
  address: address(Number(token0[2]) + Number(token1[2]) * 2),
  ...{ token0, token1, sqrtPriceX96, fee: 500, reach: undefined, lastSwapAtSeconds: 1_000, isEstablished: true },
  window: { sqrtPriceX96, depth0: depth, depth1: depth, isSettled: true },
})

it('a coin that a small pool bends and deeper pools with the same tokens clear has both in its range', () => {
  const dollars = 1_000_000n
  const pools = [
    // sqrt(0.6): a USDT counts $1.67 by it.
    pool(usdc, usdt, (q96 * 7_746n) / 10_000n, 4_500n * dollars),
    pool(usdc, ember, q96, 1_000_000n * dollars),
    pool(usdt, ember, q96, 1_000_000n * dollars),
  ]
  const decimals = new Map([usdc, usdt, ember].map((token) => [token, 6]))
  const depthFloorUsdE18 = 10n * oneE18
  const rules = { stables: [usdc, usdt], wrappedNative: ember, quotes: [], depthFloorUsdE18 }
  const { answers } = answerFromPools(
    {
      ...{ source: 'index', atBlock: { number: 9, hash: '0x9', timestampSeconds: 1_000 }, depthFloorUsdE18, pools, decimals },
      routes: findRoutes({ ...rules, pools, stepTo: stepsBy(decimals) }),
      symbols: new Map(),
      ...{ supplies: new Map(), dayAgo: new Map(), weekAgo: new Map(), recentRanges: new Map(), lastingTrust: new Map() },
      ...{ volumes: new Map(), windowSeconds: 240 },
    },
    [{ id: usdt, decimals: 6 }],
  )
  const answer = answers.get(usdt)
  if (answer?.kind !== 'quoted') throw new Error('USDT has a price')
  const { usdE18, range, confidence, reasons } = answer.quote
  expect(usdE18 / 10n ** 16n).toBe(166n)
  expect(range?.lowE18).toBe(oneE18)
  expect(confidence).toBe(0.1)
  expect(reasons).toContain('Prices in its pools, or in those of its quote token, range from $1.00 to $1.67')
})
