import type { Address, RoutePool } from '@chainboard/core'
import { expect, it } from 'vitest'
import { findOffPeg } from './findOffPeg.ts'
import { rateStables } from './pegRates.ts'

const coin = (n: number) => `0x${String(n).repeat(40)}` as Address
const [usdc, usdt, dai, ember] = [coin(1), coin(2), coin(3), coin(4)]
const q96 = 2n ** 96n
/** Roots of token1 per token0, times 2^96: 1, 0.9801, 0.9604, 1.0201. All coins have 6 decimals. */
const at = { one: q96, under2: (q96 * 99n) / 100n, under4: (q96 * 98n) / 100n, over2: (q96 * 101n) / 100n }
/** sqrt(0.991). */
const under09 = (q96 * 9_954_898n) / 10_000_000n
const thousand = 1_000_000_000n

let opened = 1
const pool = (
  token0: Address,
  token1: Address,
  median: bigint,
  rest: Partial<RoutePool> = {},
): RoutePool & { fee: number; lastSwapAtSeconds: number } => ({
  address: `0x${(opened++).toString(16).padStart(40, '0')}` as Address,
  ...{ token0, token1 },
  // The price after the last swap says nothing.
  sqrtPriceX96: q96,
  window: { sqrtPriceX96: median, depth0: thousand, depth1: thousand, isSettled: true },
  isEstablished: true,
  fee: 500,
  lastSwapAtSeconds: 1_000,
  ...rest,
})
const find = (pools: readonly ReturnType<typeof pool>[], stables = [usdc, usdt, dai], countsAs = new Map<Address, bigint>()) => {
  const decimals = new Map([usdc, usdt, dai, ember].map((token) => [token, 6]))
  const depthFloorUsdE18 = 10n ** 19n
  return findOffPeg(
    rateStables({ stables, named: new Set(decimals.keys()), pools, nowSeconds: 1_000, decimals, depthFloorUsdE18 }),
    {
      windowSeconds: 120,
      countsAs,
      symbols: new Map([
        [usdc, 'USDC'],
        [usdt, 'US\u202eDT'],
        [dai, 'DAI'],
      ]),
    },
  )
}

it('a coin that most others are worth more than is off, and they are not', () => {
  const found = find([pool(usdc, usdt, at.over2), pool(usdt, dai, at.under2), pool(usdc, dai, at.one)])
  expect([...found.keys()]).toEqual([usdt])
  expect(found.get(usdt)).toEqual({
    warning: {
      code: 'off-peg',
      text: '1 USDT trades at 0.9803 USDC and 0.9801 DAI, the median of 120 s in their pools: it is off its peg. Prices here count it as $1',
    },
    reason: 'Counts 1 USDT as $1, which trades at 0.9803 USDC and 0.9801 DAI',
  })
})

it('a coin that counts what its pools say is said to', () => {
  const found = find([pool(usdc, usdt, at.over2), pool(usdt, dai, at.under2)], undefined, new Map([[usdt, 98n * 10n ** 16n]]))
  expect(found.get(usdt)?.warning.text).toContain('it is off its peg. Prices here count it as $0.9800')
  expect(found.get(usdt)?.reason).toBe('Counts 1 USDT as $0.9800, which trades at 0.9803 USDC and 0.9801 DAI')
})

it('of two coins alone both are named: either can be the one', () => {
  const found = find([pool(usdc, usdt, at.under4)])
  expect([...found.keys()]).toEqual([usdc, usdt])
  expect(found.get(usdc)?.warning.text).toContain(
    '1 USDC trades at 0.9604 USDT, the median of 120 s in their pools: one of the two is',
  )
})

it('up to 1 % is no news', () => {
  expect(find([pool(usdc, usdt, under09)]).size).toBe(0)
})

it.each([
  ['is the only one', [], [usdc]],
  ['trades with no other', [pool(usdc, ember, at.under4)], [usdc, usdt]],
  ['has only a pool that has hardly traded', [pool(usdc, usdt, at.under4, { isEstablished: false })], [usdc, usdt]],
  [
    'has only a pool under the floor',
    [
      pool(usdc, usdt, at.under4, {
        window: { sqrtPriceX96: at.under4, depth0: 9_000_000n, depth1: 9_000_000n, isSettled: true },
      }),
    ],
    [usdc, usdt],
  ],
  ['was off in the last swap alone', [pool(usdc, usdt, at.one, { sqrtPriceX96: at.under4 })], [usdc, usdt]],
])('nothing is claimed of a coin that %s', (_, pools, stables) => {
  expect(find(pools, stables).size).toBe(0)
})

it('a shallow pool does not outweigh a deep one', () => {
  const shallow = { sqrtPriceX96: at.under4, depth0: 60_000_000n, depth1: 60_000_000n, isSettled: true }
  expect(find([pool(usdc, usdt, at.one), pool(usdc, usdt, at.under4, { window: shallow })]).size).toBe(0)
})
