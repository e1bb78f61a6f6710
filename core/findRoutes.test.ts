import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from './address.ts'
import { findRoutes } from './findRoutes.ts'
import { type RoutePool, stepsBy } from './routePool.ts'

const q96 = 2n ** 96n
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Address
const usdc = address(1)
const [a, b, c, d, e] = [10, 11, 12, 13, 14].map(address) as [Address, Address, Address, Address, Address]
const decimals = new Map([usdc, a, b, c, d, e].map((token) => [token, 18]))
let nextPool = 100

/** A pool of 18-decimal tokens in which one token1 costs `root`² token0, with `dollars` of token0 within 2 %. */
type Made = { root?: bigint; units: bigint; isEstablished?: boolean; isSettled?: boolean }
function pool(token0: Address, token1: Address, made: Made): RoutePool {
  const { root = 1n, units, isEstablished = true, isSettled = true } = made
  nextPool += 1
  const depth0 = units * 10n ** 18n
  return {
    address: address(nextPool),
    token0,
    token1,
    sqrtPriceX96: q96 / root,
    window: { sqrtPriceX96: q96 / root, depth0, depth1: depth0 / (root * root), isSettled },
    isEstablished,
  }
}

const request = (pools: readonly RoutePool[], floorUsd = 10n, quotes: readonly Address[] = [b, c, d, e]) => ({
  pools,
  stepTo: stepsBy(decimals),
  stables: [usdc],
  wrappedNative: a,
  quotes,
  depthFloorUsdE18: floorUsd * 10n ** 18n,
})
const symbols = new Map([
  [usdc, 'usdc'],
  [a, 'a'],
  [b, 'b'],
  [c, 'c'],
  [d, 'd'],
  [e, 'e'],
])
const way = (routes: Pick<ReturnType<typeof findRoutes>, 'found'>, token: Address) =>
  routes.found.get(token)?.route.map(({ quote }) => symbols.get(quote))

describe('the route to US dollars', () => {
  it('goes where the shallowest pool is deepest, not where there are fewer hops', () => {
    const routes = findRoutes(
      request([pool(usdc, b, { units: 100n }), pool(usdc, a, { units: 9_000n }), pool(a, b, { units: 8_000n })]),
    )
    expect(way(routes, b)).toEqual(['a', 'usdc'])
    const other = findRoutes(
      request([pool(usdc, b, { units: 8_500n }), pool(usdc, a, { units: 9_000n }), pool(a, b, { units: 8_000n })]),
    )
    expect(way(other, b)).toEqual(['usdc'])
  })

  it('multiplies the prices on the way: 4 dollars x 9', () => {
    const routes = findRoutes(request([pool(usdc, a, { root: 2n, units: 9_000n }), pool(a, b, { root: 3n, units: 8_000n })]))
    const usd = Number(routes.found.get(b)?.usdE18) / 1e18
    expect(usd).toBeCloseTo(36, 9)
  })

  it('never takes a price from a pool under the floor, and says how deep the pool was', () => {
    const { found, thin } = findRoutes(request([pool(usdc, a, { units: 9n })]))
    expect(found.has(a)).toBe(false)
    expect(Number(thin.get(a)) / 1e18).toBeCloseTo(9, 3)
  })

  it('does not call a token thin that another pool prices', () => {
    const { found, thin } = findRoutes(
      request([pool(usdc, a, { units: 9n }), pool(usdc, b, { units: 500n }), pool(b, a, { units: 400n })]),
    )
    expect([...thin.keys()]).toEqual([])
    expect(found.get(a)?.route.length).toBe(2)
  })

  it('takes a shallow established pool before a deep one that is not, and that one before none', () => {
    const [old, young] = [pool(usdc, a, { units: 20n }), pool(usdc, a, { root: 10n, units: 9_000n, isEstablished: false })]
    const { found } = findRoutes(request([young, old]))
    expect(found.get(a)?.route.map((hop) => hop.pool)).toEqual([old.address])
    expect(found.get(a)?.tier).toBe('established')
    expect(findRoutes(request([young])).found.get(a)).toMatchObject({ tier: 'young' })
  })

  it('takes a pool whose price has not lasted only where no settled one is as old, and such a new one last', () => {
    const steady = pool(usdc, a, { units: 20n })
    const slot = pool(usdc, a, { root: 10n, units: 9_000_000n, isSettled: false })
    const young = pool(usdc, a, { root: 3n, units: 9_000n, isEstablished: false })
    const newSlot = pool(usdc, a, { root: 20n, units: 9_000_000n, isEstablished: false, isSettled: false })
    const tierOf = (...pools: RoutePool[]) => {
      const priced = findRoutes(request(pools)).found.get(a)
      return [priced?.tier, ...(priced?.offers.map(({ hop }) => hop.pool) ?? [])]
    }
    expect(tierOf(slot, newSlot, steady)).toEqual(['established', steady.address])
    expect(tierOf(slot, newSlot, young)).toEqual(['unsettled', slot.address])
    expect(tierOf(young, newSlot)).toEqual(['young', young.address])
    expect(tierOf(newSlot)).toEqual(['new', newSlot.address])
    // One in motion speaks against a shallower one that counts, a new one does not.
    const overruled = findRoutes(request([newSlot, slot, steady])).found.get(a)?.overruled
    expect(overruled?.map(({ offer }) => offer.hop.pool)).toEqual([slot.address])
  })

  it('is not established when any pool on the way is not', () => {
    const young = pool(usdc, a, { units: 900n, isEstablished: false })
    const { found } = findRoutes(request([young, pool(a, b, { units: 900n }), pool(usdc, b, { units: 15n })]))
    expect(way({ found }, b)).toEqual(['usdc'])
    expect(way({ found }, a)).toEqual(['b', 'usdc'])
  })

  it('takes the deeper pool of two behind the same shallow one, whichever came first', () => {
    const [door, shallow, deep] = [
      pool(usdc, a, { units: 50n }),
      pool(a, b, { root: 2n, units: 400n }),
      pool(a, b, { units: 900n }),
    ]
    for (const pools of [
      [door, shallow, deep],
      [deep, shallow, door],
    ]) {
      expect(
        findRoutes(request(pools))
          .found.get(b)
          ?.route.map((hop) => hop.pool),
      ).toEqual([deep.address, door.address])
    }
  })

  it('through somebody’s own token sets no price beside an established pool in a named quote, however deep', () => {
    // A token with 50,000 dollars behind it, and four pools of it that say a tenth.
    const own = pool(usdc, e, { units: 50_000n })
    const honest = pool(usdc, b, { units: 8_000n })
    const false_ = [1, 2, 3, 4].map(() => pool(b, e, { root: 3n, units: 50_000n }))
    const named = findRoutes(request([own, honest, ...false_], 10n, []))
    expect(named.found.get(b)?.offers.map(({ hop }) => hop.pool)).toEqual([honest.address])
    expect(named.found.get(b)).toMatchObject({ tier: 'established', usdE18: 10n ** 18n })
    // Nor beside a young one; and where there is nothing else, it says so.
    const young = findRoutes(request([own, pool(usdc, b, { units: 900n, isEstablished: false }), ...false_], 10n, []))
    expect(young.found.get(b)).toMatchObject({ tier: 'young', usdE18: 10n ** 18n })
    expect(findRoutes(request([own, ...false_], 10n, [])).found.get(b)?.tier).toBe('unnamed')
  })

  it('is not heard in a token that the network does not name, however deep, and new only beside young pools', () => {
    const [door, dust] = [pool(usdc, e, { units: 50_000n }), pool(usdc, b, { root: 2n, units: 100n })]
    const count = (pools: readonly RoutePool[]) => findRoutes(request(pools, 10n, [])).found.get(b)?.overruled.length
    expect(count([door, dust, pool(b, e, { units: 40_000n })])).toBe(0)
    const fresh = pool(usdc, b, { units: 900_000n, isEstablished: false, isSettled: false })
    expect([count([dust, fresh]), count([{ ...dust, isEstablished: false }, fresh])]).toEqual([0, 1])
  })

  it('to another token goes through a quote of the network, whatever depth that token has with dollars for a moment', () => {
    const [door, bought] = [pool(usdc, a, { units: 9_000n }), pool(usdc, b, { root: 3n, units: 90_000n })]
    const honest = pool(a, b, { units: 9_000n })
    const { found } = findRoutes(request([door, bought, honest], 10n, []))
    expect([...found.keys()]).toEqual([usdc, a, b])
    expect(
      found
        .get(b)
        ?.offers.map(({ hop }) => hop.pool)
        .sort(),
    ).toEqual([bought.address, honest.address].sort())
    // Where the quote itself has a price by that token alone, it comes behind it.
    expect([...findRoutes(request([bought, honest], 10n, [])).found.keys()]).toEqual([usdc, b, a])
  })

  it('of two quotes of the network begins with the one that the network names first, however deep the other is for a moment', () => {
    const [door, parked] = [pool(usdc, a, { units: 9_000n }), pool(usdc, b, { root: 3n, units: 900_000n })]
    const { found } = findRoutes(request([parked, door, pool(a, b, { root: 3n, units: 9_000n })], 10n, [b]))
    expect([...found.keys()]).toEqual([usdc, a, b])
    expect(found.get(b)?.offers).toHaveLength(2)
  })

  it('goes by a sounder pool, however small, and knows of what can be sold at that price in others', () => {
    const sound = [pool(usdc, c, { units: 50_000n }), pool(usdc, b, { units: 100n })]
    const agreeing = (deep: RoutePool) =>
      findRoutes(request([...sound, deep], 10n, []))
        .found.get(b)
        ?.agreeing.map(({ hop }) => hop.pool)
    const deep = pool(c, b, { units: 40_000n })
    expect(agreeing(deep)).toEqual([deep.address])
    expect(agreeing(pool(c, b, { units: 40_000n, root: 2n }))).toEqual([])
    expect(agreeing(pool(c, b, { units: 40_000n, isEstablished: false, isSettled: false }))).toEqual([])
  })

  it('weighs all pools in a quote together by no more than what is behind that quote', () => {
    const door = pool(usdc, a, { units: 1_000n })
    const own = [1, 2, 3].map(() => pool(a, b, { root: 3n, units: 9_000n }))
    const { found } = findRoutes(request([door, pool(usdc, b, { units: 900n }), ...own]))
    const weights = found.get(b)?.offers.map(({ weightUsdE18 }) => Number(weightUsdE18) / 1e18)
    expect(weights?.map((weight) => Math.round(weight)).sort()).toEqual([333, 333, 333, 900])
  })

  it('ends after four hops', () => {
    const chain = [
      pool(usdc, a, { units: 900n }),
      pool(a, b, { units: 900n }),
      pool(b, c, { units: 900n }),
      pool(c, d, { units: 900n }),
      pool(d, e, { units: 900n }),
    ]
    const { found } = findRoutes(request(chain))
    expect(found.get(d)?.route.length).toBe(4)
    expect(found.has(e)).toBe(false)
  })

  it('leaves out tokens that are not asked for, unless others may have their price through them', () => {
    const pools = [
      pool(usdc, a, { units: 900n }),
      pool(a, b, { units: 800n }),
      pool(a, c, { units: 800n }),
      pool(b, d, { units: 700n }),
    ]
    const { found } = findRoutes({ ...request(pools), wants: (token) => token === d })
    expect([...found.keys()]).toEqual([usdc, a, b, d])
    expect(found).not.toEqual(findRoutes(request(pools)).found)
  })

  it('does not depend on the order of the pools', () =>
    fc.assert(
      fc.property(
        // Few depths, so that many ways are equally deep.
        fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.constantFrom(15, 40, 900)), { maxLength: 12 }),
        fc.infiniteStream(fc.nat(100)),
        (edges, order) => {
          const all = [usdc, a, b, c, d, e]
          const pools = edges
            .filter(([x, y]) => x !== y)
            .map(([x, y, units]) =>
              pool(all[Math.min(x, y)] as Address, all[Math.max(x, y)] as Address, { units: BigInt(units) }),
            )
          const shuffled = pools
            .map((each) => ({ each, key: order.next().value }))
            .sort((x, y) => x.key - y.key)
            .map(({ each }) => each)
          const routesOf = (list: readonly RoutePool[]) =>
            new Map([...findRoutes(request(list)).found].map(([token, { route }]) => [token, route.map((hop) => hop.pool)]))
          expect(routesOf(shuffled)).toEqual(routesOf(pools))
          // Of what is asked for alone the same is found.
          const few = findRoutes({ ...request(pools), wants: (token) => token === c })
          expect(few.found.get(c)).toEqual(findRoutes(request(pools)).found.get(c))
          expect(few.thin.get(c)).toEqual(findRoutes(request(pools)).thin.get(c))
        },
      ),
      { numRuns: 300 },
    ))
})
