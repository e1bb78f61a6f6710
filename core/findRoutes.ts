import type { Address } from './address.ts'
import type { Depth } from './executableDepth.ts'
import { makeOffer, type Offer, oneDollar, type Settled, settle, shareWeights, sumWeights, usdE36Max } from './fairPrice.ts'
import { MaxHeap } from './maxHeap.ts'
import type { PoolMoment } from './poolWindow.ts'
import { guardE18, type Hop, type Route } from './route.ts'

/** What a route needs to know of a pool. */
export type RoutePool = {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  /** After its last event; 0 before the pool was opened. */
  readonly sqrtPriceX96: bigint
  /** The medians of its window, by which it is priced and weighed. */
  readonly window: PoolMoment
  /** Whether it has traded for a while: one that has not never beats one that has. */
  readonly isEstablished: boolean
}

/**
 * How sound the way to a price is, the least sound first: of pools in tokens that the network does not name as quotes, which anybody
 * may have made; of pools that have not traded for long; of established pools in named quotes. A sounder way does away with the others.
 */
export const priceTiers = ['unnamed', 'young', 'established'] as const
export type PriceTier = (typeof priceTiers)[number]

/** How a token gets its price. */
export type PricedToken = {
  /** Along the pool that weighs most, and along that of its other token; empty for a stable coin. */
  readonly route: Route
  /** Every pool that counts; none for a stable coin. */
  readonly offers: readonly Offer[]
  readonly settled: Settled
  /** The price, in US dollars per whole token x 10^18. */
  readonly usdE18: bigint
  /** The least sound of all pools on the way. */
  readonly tier: PriceTier
}

/** `thin`: tokens that only pools under the floor could price, with the deepest such pool's depth. `named`: the quotes of the network. */
export type Routes = {
  /** In the order in which prices follow from each other. */
  readonly found: ReadonlyMap<Address, PricedToken>
  readonly thin: ReadonlyMap<Address, bigint>
  readonly named: ReadonlySet<Address>
}

export type RouteRequest = RouteRules & {
  readonly pools: readonly RoutePool[]
  /** Decimals as the chain says them; a token without is left alone. */
  readonly decimals: ReadonlyMap<Address, number>
}

/** What a network says of prices. */
export type RouteRules = {
  readonly stables: readonly Address[]
  readonly wrappedNative: Address
  /** Further tokens that the network names as quotes. */
  readonly quotes: readonly Address[]
  /** Pools with less within 2 % of the price set none. */
  readonly depthFloorUsdE18: bigint
}

const hopsMax = 4

/** What is known of a token's pools so far: those that count, and the one of them that weighs most. */
type Candidate = {
  readonly token: Address
  readonly offers: readonly Offer[]
  readonly best: Offer
  readonly weightUsdE18: bigint
  readonly tier: PriceTier
}

/** So long after its first swap a pool is established. */
const establishedSeconds = 3_600

/** @param firstSwapAtSeconds undefined: it never traded */
export function isEstablished(firstSwapAtSeconds: number | undefined, nowSeconds: number): boolean {
  return firstSwapAtSeconds !== undefined && nowSeconds - firstSwapAtSeconds >= establishedSeconds
}

/**
 * Which of two tokens comes first: the one with the sounder way, however shallow, then the one with more behind it. With equally
 * much behind them the heavier pool counts, then the deeper one, and at last its address, so that the same pools in whatever
 * order give the same.
 */
function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.tier !== b.tier) return isSounder(a.tier, b.tier)
  if (a.weightUsdE18 !== b.weightUsdE18) return a.weightUsdE18 > b.weightUsdE18
  return isHeavier(a.best, b.best)
}

function isHeavier(a: Offer, b: Offer): boolean {
  if (a.weightUsdE18 !== b.weightUsdE18) return a.weightUsdE18 > b.weightUsdE18
  return a.hop.depthUsdE18 === b.hop.depthUsdE18 ? a.hop.pool < b.hop.pool : a.hop.depthUsdE18 > b.hop.depthUsdE18
}

export function isSounder(a: PriceTier, b: PriceTier): boolean {
  return priceTiers.indexOf(a) > priceTiers.indexOf(b)
}

function leastSound(a: PriceTier, b: PriceTier): PriceTier {
  return isSounder(a, b) ? b : a
}

/** What a pool says by one quote, and how sound that is. */
type TieredOffer = { readonly offer: Offer; readonly tier: PriceTier }

/** The candidate with its pools in one more quote. Sounder ones do away with the others. @param more at least one */
function addOffers(known: Candidate | undefined, more: readonly TieredOffer[], quote: Settled): Candidate | undefined {
  const tier = more.map((one) => one.tier).reduce((a, b) => (isSounder(b, a) ? b : a))
  if (known && isSounder(known.tier, tier)) return known
  const own = more.flatMap((one) => (one.tier === tier ? one.offer : []))
  const offers = [...(known?.tier === tier ? known.offers : []), ...shareWeights(own, quote)]
  const [first] = offers
  if (!first) return known
  const best = offers.reduce((heaviest, offer) => (isHeavier(offer, heaviest) ? offer : heaviest), first)
  return { token: first.hop.base, offers, best, weightUsdE18: sumWeights(offers), tier }
}

/**
 * Prices every token by its pools with tokens that have a price already, those with most behind them first, at most four hops
 * away from a stable coin. Where a token has a sounder way, others do not count. Pure.
 */
export function findRoutes({ pools, decimals, stables, wrappedNative, quotes, depthFloorUsdE18 }: RouteRequest): Routes {
  const named = new Set([...stables, wrappedNative, ...quotes])
  const found = new Map<Address, PricedToken>(
    stables.map((token) => [token, toPriced({ route: [], offers: [], settled: oneDollar, tier: 'established' })]),
  )
  const thin = new Map<Address, bigint>()
  const poolsOf = groupByToken(pools)
  const known = new Map<Address, Candidate>()
  const candidates = new MaxHeap<Candidate>(isBetter)

  const lookAround = (quote: Address) => {
    const from = found.get(quote) as PricedToken
    if (from.route.length >= hopsMax) return
    const offers = new Map<Address, TieredOffer[]>()
    for (const pool of poolsOf.get(quote) ?? []) {
      const hop = toHop(pool, quote, from.usdE18, decimals)
      if (!hop || found.has(hop.base)) continue
      const offer = makeOffer(hop, pool.window.sqrtPriceX96, from.settled)
      if (offer.usdE36 > usdE36Max) continue
      if (hop.depthUsdE18 < depthFloorUsdE18 || hop.depthUsdE18 === 0n) {
        if (hop.depthUsdE18 > (thin.get(hop.base) ?? -1n)) thin.set(hop.base, hop.depthUsdE18)
        continue
      }
      const own: PriceTier = !named.has(quote) ? 'unnamed' : pool.isEstablished ? 'established' : 'young'
      const tiered = { offer, tier: leastSound(from.tier, own) }
      const others = offers.get(hop.base)
      if (others) others.push(tiered)
      else offers.set(hop.base, [tiered])
    }
    for (const [token, own] of offers) {
      const candidate = addOffers(known.get(token), own, from.settled)
      if (!candidate || candidate === known.get(token)) continue
      known.set(token, candidate)
      candidates.push(candidate)
    }
  }

  for (const stable of stables) lookAround(stable)
  for (let next = candidates.pop(); next; next = candidates.pop()) {
    const { token, offers, best, tier } = next
    // One with more pools is in the heap as well.
    if (found.has(token) || next !== known.get(token)) continue
    const route = [best.hop, ...(found.get(best.hop.quote) as PricedToken).route]
    found.set(token, toPriced({ route, offers, settled: settle(offers), tier }))
    thin.delete(token)
    lookAround(token)
  }
  return { found, thin, named }
}

function toPriced(priced: Omit<PricedToken, 'usdE18'>): PricedToken {
  return { ...priced, usdE18: priced.settled.usdE36 / guardE18 }
}

/** The pool as a step from its other token to `quote`; undefined when a token of it cannot be counted. */
export function toHop(
  pool: Omit<RoutePool, 'isEstablished'>,
  quote: Address,
  quoteUsdE18: bigint,
  decimals: ReadonlyMap<Address, number>,
): Hop | undefined {
  const decimals0 = decimals.get(pool.token0)
  const decimals1 = decimals.get(pool.token1)
  if (decimals0 === undefined || decimals1 === undefined || pool.window.sqrtPriceX96 === 0n) return undefined
  const baseIsToken0 = pool.token1 === quote
  const base = baseIsToken0 ? pool.token0 : pool.token1
  const sides = { pool: pool.address, base, quote, baseIsToken0, decimals0, decimals1 }
  return { ...sides, depthUsdE18: depthUsd(pool.window, sides, quoteUsdE18) }
}

/** US dollars x 10^18 that trade within 2 % of the price. */
export function depthUsd(depth: Depth, hop: Omit<Hop, 'depthUsdE18'>, quoteUsdE18: bigint): bigint {
  return (depthInQuote(depth, hop.baseIsToken0) * quoteUsdE18) / 10n ** BigInt(hop.baseIsToken0 ? hop.decimals1 : hop.decimals0)
}

/** Quote tokens, in smallest units, that trade the base within 2 % of its price, whether up or down. */
export function depthInQuote({ depth0, depth1 }: Depth, baseIsToken0: boolean): bigint {
  return baseIsToken0 ? depth1 : depth0
}

/** Each token's pools. */
export function groupByToken<P extends Pick<RoutePool, 'token0' | 'token1'>>(
  pools: readonly P[],
): ReadonlyMap<Address, readonly P[]> {
  const groups = new Map<Address, P[]>()
  for (const pool of pools) {
    for (const token of [pool.token0, pool.token1]) {
      const group = groups.get(token)
      if (group) group.push(pool)
      else groups.set(token, [pool])
    }
  }
  return groups
}
