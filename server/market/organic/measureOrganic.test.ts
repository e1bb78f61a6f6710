import type { Address, Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { Trade } from './foldPositions.ts'
import { measureOrganic, type WeighedPool } from './measureOrganic.ts'

const [usdc, weth, own, buyer, evil] = ['1', '2', '3', 'b', 'e'].map((digit) => `0x${digit.repeat(40)}`) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const e18 = 10n ** 18n
let logs = 0

/** Dollars for coins, by who signs, for whoever gets what goes out. */
function trade(origin: Address, recipient: Address, amounts: readonly [bigint, bigint], usd: bigint): Trade {
  logs += 1
  const place = { blockNumber: 1, logIndex: logs, txHash: `0x${logs}` as Hex, timestampSeconds: 0 }
  return {
    ...place,
    origin,
    sender: origin,
    recipient,
    amount0: amounts[0],
    amount1: amounts[1],
    usdE18: usd * e18,
    tick: 0,
    tickBefore: 0,
  } as Trade
}

const toPool = (token0: Address, token1: Address, trades: readonly Trade[]): WeighedPool => ({
  ...{ token0, token1, trades },
  parts: trades.map(() => 1_000_000n),
})

const measure = (pools: readonly WeighedPool[]) =>
  measureOrganic(pools, {
    groupOf: (party) => party,
    traderOf: ({ origin }: Pick<Trade, 'origin'>) => origin,
    quotes: new Set([usdc, weth]),
    counts: () => true,
    handedOf: () => [],
    usdOf: ({ token, amountRaw }) => (token === usdc ? amountRaw * 10n ** 12n : token === weth ? amountRaw * 2_500n : 0n),
  }).get(weth)?.usdE18

it('what somebody sells in a pool of their own for dust takes nothing from whom they have the dust sent to', () => {
  // 10 coins for $25,000, and $100 by somebody who is compared with the buyer so.
  const honest = toPool(usdc, weth, [
    trade(buyer, buyer, [25_000n * 10n ** 6n, -10n * e18], 25_000n),
    trade(evil, evil, [100n * 10n ** 6n, -(e18 / 25n)], 100n),
  ])
  expect(measure([honest])).toBe(25_100n * e18)
  const forOwnToken = toPool(own, weth, [trade(evil, buyer, [-1n, 10n * e18], 25_000n)])
  const forDollars = toPool(usdc, weth, [trade(evil, buyer, [-1n, 10n * e18], 25_000n)])
  expect(measure([honest, forOwnToken])).toBeGreaterThan(25_000n * e18)
  expect(measure([honest, forDollars])).toBeGreaterThan(25_000n * e18)
  // Dollars that do go out are the buyer's, who may have paid with them.
  const paid = toPool(usdc, weth, [trade(evil, buyer, [-25_000n * 10n ** 6n, 10n * e18], 25_000n)])
  expect(measure([honest, paid])).toBeLessThan(25_100n * e18)
})
