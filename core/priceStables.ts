import type { Address } from './address.ts'
import { addOffers, type Candidate, isBetter, type TieredOffer } from './candidate.ts'
import { makeOffer, oneDollar, settle } from './fairPrice.ts'
import { absolute } from './fixedPoint.ts'
import { getFrom } from './getFrom.ts'
import { type PricedToken, pricedStable, toPriced } from './pricedToken.ts'
import { type RoutePool, type StepTo, toHop } from './routePool.ts'

export type StableRequest = {
  /** The first one is the unit of account: it is one dollar by definition. */
  readonly stables: readonly Address[]
  /** Those between two stable coins are looked at, others are not. */
  readonly pools: readonly RoutePool[]
  readonly stepTo: StepTo
  readonly depthFloorUsdE18: bigint
}

/** Parts of 10,000 that a coin's pools may be off a dollar: up to there it counts as one. */
const offMax = 100n
/** Depth floors that have to be behind what a coin is worth: moving less is cheap, and all that is priced in the coin would move with it. */
export const coinFloorsWanted = 100n

/**
 * What stable coins count as: a dollar, unless their established pools with the unit, or with coins that are held against it in this
 * way themselves, agree on another price with enough depth behind it. Pure.
 * @returns the unit first, then coins with enough behind them, the most first, then those that are taken at their word
 */
export function priceStables({ stables, pools, stepTo, depthFloorUsdE18 }: StableRequest): Map<Address, PricedToken> {
  const [unit, ...others] = stables
  const found = new Map<Address, PricedToken>(unit === undefined ? [] : [[unit, pricedStable]])
  const left = new Set(others.filter((coin) => coin !== unit))
  if (left.size === 0) return found
  const between = pools.filter((pool) => pool.isEstablished && pool.window.isSettled && isBetween(pool, stables))
  const known = new Map<Address, Candidate>()
  const wantedUsdE18 = depthFloorUsdE18 * coinFloorsWanted

  const lookAround = (quote: Address, from: PricedToken) => {
    const offers = Map.groupBy(listOffers(quote, from), ({ offer }) => offer.hop.base)
    for (const [coin, own] of offers) {
      const candidate = addOffers(known.get(coin), own, from.settled)
      if (candidate) known.set(coin, candidate)
    }
  }
  const listOffers = (quote: Address, from: PricedToken): TieredOffer[] =>
    between.flatMap((pool) => {
      if (pool.token0 !== quote && pool.token1 !== quote) return []
      const hop = toHop(pool, quote, from.usdE18, stepTo)
      if (!hop || !left.has(hop.base) || hop.depthUsdE18 === 0n || hop.depthUsdE18 < depthFloorUsdE18) return []
      return [{ offer: makeOffer(hop, pool.window.sqrtPriceX96, from.settled), tier: 'established' as const }]
    })

  if (unit !== undefined) lookAround(unit, pricedStable)
  for (;;) {
    const proven = [...known.values()].filter(({ token, offers }) => left.has(token) && behind(offers) >= wantedUsdE18)
    const [next] = proven.sort((a, b) => (isBetter(a, b) ? -1 : 1))
    if (!next) break
    left.delete(next.token)
    const priced = toPriced(next, getFrom(found, next.best.hop.quote))
    const coin = isOff(priced) ? priced : pricedStable
    found.set(next.token, coin)
    lookAround(next.token, coin)
  }
  for (const coin of left) found.set(coin, pricedStable)
  return found
}

function isBetween({ token0, token1 }: RoutePool, stables: readonly Address[]): boolean {
  return stables.includes(token0) && stables.includes(token1)
}

/** The depth of the pools that agree with the price. */
function behind(offers: Candidate['offers']): bigint {
  return settle(offers).depthUsdE18 ?? 0n
}

function isOff({ settled: { usdE36 } }: PricedToken): boolean {
  return absolute(usdE36 - oneDollar.usdE36) * 10_000n > oneDollar.usdE36 * offMax
}
