import { describe, expect, it } from 'vitest'
import type { Address } from './address.ts'
import { type BoundPool, boundPrices } from './boundPrices.ts'
import { findRoutes } from './findRoutes.ts'
import { stepsBy } from './routePool.ts'

const e18 = 10n ** 18n
const q96 = 2n ** 96n
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Address
const [usd, native, token] = [1, 2, 3].map(address) as [Address, Address, Address]
const decimals = new Map([usd, native, token].map((each) => [each, 18]))
let pools = 100

/** A pool in which one token1 costs `root`² token0 / 100², with so many units of token0 to trade within 2 %, and five times as many within 10 %. */
function pool(token0: Address, token1: Address, root: bigint, units: bigint): BoundPool {
  pools += 1
  const [depth0, depth1] = [units * e18, (units * e18 * 10_000n) / (root * root)]
  const sqrtPriceX96 = (q96 * 100n) / root
  const reach = { depth0: depth0 * 5n, depth1: depth1 * 5n }
  const sides = { address: address(pools), token0, token1, fee: 3_000, isEstablished: true }
  return { ...sides, sqrtPriceX96, window: { sqrtPriceX96, depth0, depth1, isSettled: true }, reach }
}

function bound(
  all: readonly BoundPool[],
  recent: ReadonlyMap<Address, { lowE18: bigint; highE18: bigint }> = new Map(),
  pegs: typeof recent = new Map(),
) {
  const { found } = findRoutes({
    pools: all,
    stepTo: stepsBy(decimals),
    stables: [usd],
    wrappedNative: native,
    quotes: [],
    depthFloorUsdE18: 10n * e18,
  })
  const bounds = boundPrices({ found, pools: new Map(all.map((each) => [each.address, each])), recent, pegs })
  const of = (each: Address) => {
    const { lowE36, highE36, costUsdE18 } = bounds.get(each) as NonNullable<ReturnType<typeof bounds.get>>
    const dollars = (value: bigint) => Math.round(Number(value) / 1e16) / 100
    return {
      range: [dollars(lowE36 / e18), dollars(highE36 / e18)],
      cost: costUsdE18 === undefined ? undefined : dollars(costUsdE18),
    }
  }
  return { of, priceOf: (each: Address) => Math.round(Number(found.get(each)?.usdE18) / 1e16) / 100, found }
}

describe('the bounds of a price', () => {
  it('hold what a stable coin off its peg may be worth, for all that is priced in it', () => {
    const pegs = new Map([[usd, { lowE18: (e18 * 90n) / 100n, highE18: e18 }]])
    const { of } = bound([pool(usd, native, 200n, 1_000n), pool(native, token, 100n, 1_000n)], new Map(), pegs)
    expect([usd, native, token].map((each) => of(each).range)).toEqual([
      [0.9, 1],
      [3.6, 4],
      [3.6, 4],
    ])
  })

  it('take the fee there and back on half of the weight, the cheapest pools first', () => {
    // 30 dollars for 5,000 dollars in one pool: 0.3 % twice. Half of its weight is half of that.
    expect(bound([pool(usd, token, 100n, 1_000n)]).of(token)).toEqual({ range: [1, 1], cost: 15 })
  })

  it('count only what has still to move where pools disagree', () => {
    const disagreeing = [pool(usd, token, 100n, 49_000n), pool(usd, token, 100n, 2_000n), pool(usd, token, 110n, 49_000n)]
    // 51,000 of 100,000 at 1.00, 49,000 at 1.21: a 1,000th part more and the price is the other one. 1,000 cost 30 dollars.
    expect(bound(disagreeing).of(token)).toEqual({ range: [1, 1.21], cost: 30 })
  })

  it('move with the token that the price is in', () => {
    const market = bound([pool(usd, native, 100n, 1_000n), pool(native, token, 100n, 900n)])
    expect(market.of(token)).toEqual({ range: [1, 1], cost: 13.5 })
    const recent = new Map([[native, { lowE18: e18 / 4n, highE18: e18 }]])
    expect(bound([pool(usd, native, 100n, 1_000n), pool(native, token, 100n, 900n)], recent).of(token).range).toEqual([0.25, 1])
  })
})

it('a token whose pools are many small ones comes before one with a single larger pool', () => {
  // Four pools of 290 between the coin and the dollar; three of 1,000 and a false one of 300 for the token.
  const coin = Array.from({ length: 4 }, () => pool(usd, native, 100n, 290n))
  const honest = Array.from({ length: 3 }, () => pool(native, token, 100n, 1_000n))
  const market = bound([...coin, ...honest, pool(usd, token, 200n, 300n)])
  expect(market.priceOf(token)).toBe(1)
  expect(market.found.get(token)?.offers.length).toBe(4)
})

it('an established dust pool keeps the price, and the range holds what deeper young ones say', () => {
  const dust = pool(usd, token, 100n, 20n)
  const young = { ...pool(usd, token, 200n, 5_000n), isEstablished: false }
  const market = bound([dust, young])
  expect(market.priceOf(token)).toBe(1)
  expect(market.of(token).range).toEqual([1, 4])
  // One that has less than the dust pool says nothing.
  expect(bound([dust, { ...pool(usd, token, 200n, 15n), isEstablished: false }]).of(token).range).toEqual([1, 1])
})

it('a deeper pool in motion that does not count is in the range with its last price', () => {
  const dust = pool(usd, token, 100n, 15n)
  const calm = pool(usd, token, 200n, 5_000n)
  // On its way from 4 dollars to 9.
  const moving = { ...calm, sqrtPriceX96: (q96 * 100n) / 300n, window: { ...calm.window, isSettled: false } }
  const market = bound([dust, moving])
  expect([market.priceOf(token), market.of(token).range]).toEqual([1, [1, 9]])
})
