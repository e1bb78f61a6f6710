import type { Address } from './address.ts'
import { addOffers, type Candidate, isBetter, leastSound, type PriceTier, type TieredOffer } from './candidate.ts'
import type { Depth } from './executableDepth.ts'
import { makeOffer, type Offer, oneDollar, type Settled, settle, sumWeights, usdE36Max } from './fairPrice.ts'
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

/** How a token gets its price. */
export type PricedToken = {
  /** Along the pool that weighs most, and along that of its other token; empty for a stable coin. */
  readonly route: Route
  /** Every pool that counts; none for a stable coin. */
  readonly offers: readonly Offer[]
  /** Younger pools that do not count and yet have more depth, all together, than what does; none where they have less. */
  readonly overruled: readonly Offer[]
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

/** Decimals of tokens as the chain says them; a token without is left alone. */
export type Decimals = Pick<ReadonlyMap<Address, number>, 'get'>

export type RouteRequest = RouteRules & {
  readonly pools: readonly RoutePool[]
  readonly decimals: Decimals
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

/** Pools between a token and a stable coin. */
export const hopsMax = 4

/** So long after its first swap a pool is established. */
const establishedSeconds = 3_600

/** @param firstSwapAtSeconds undefined: it never traded */
export function isEstablished(firstSwapAtSeconds: number | undefined, nowSeconds: number): boolean {
  return firstSwapAtSeconds !== undefined && nowSeconds - firstSwapAtSeconds >= establishedSeconds
}

/**
 * Prices every token by its pools with tokens that have a price already, those with most behind them first, at most four hops
 * away from a stable coin. Where a token has a sounder way, others do not count. Pure.
 */
export function findRoutes(request: RouteRequest): Routes {
  return search(request)
}

/**
 * The tokens that have a price, each behind those that its price follows from. Of a token with one pool nothing else follows: it comes
 * last, and what its price is need not be worked out. Pure.
 */
export function listPriced(request: RouteRequest): readonly Address[] {
  const last: Address[] = []
  const { found } = search(request, (token) => last.push(token))
  return [...found.keys(), ...last]
}

/** @param onOnly takes each token that has a price by its only pool; it is not in what is returned then */
function search(
  { pools, decimals, stables, wrappedNative, quotes, depthFloorUsdE18 }: RouteRequest,
  onOnly?: (token: Address) => void,
): Routes {
  const named = new Set([...stables, wrappedNative, ...quotes])
  const found = new Map<Address, PricedToken>(stables.map((token) => [token, pricedStable]))
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
      if (onOnly && poolsOf.get(hop.base)?.length === 1) {
        if (from.settled.depthUsdE18 !== 0n) onOnly(hop.base)
        continue
      }
      const tiered = { offer, tier: toTier(from, { isNamed: named.has(quote), isEstablished: pool.isEstablished }) }
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
    const { token } = next
    // One with more pools is in the heap as well.
    if (found.has(token) || next !== known.get(token)) continue
    found.set(token, toPriced(next, found.get(next.best.hop.quote) as PricedToken))
    thin.delete(token)
    lookAround(token)
  }
  return { found, thin, named }
}

/** A stable coin is taken at its word. */
export const pricedStable: PricedToken = {
  ...{ route: [], offers: [], overruled: [], settled: oneDollar, tier: 'established' },
  usdE18: oneDollar.usdE36 / guardE18,
}

/** The price by all that is known of a token. @param quote the one of the pool that weighs most */
export function toPriced({ offers, best, tier, young }: Candidate, quote: PricedToken): PricedToken {
  const settled = settle(offers)
  const overruled = tier === 'established' && sumWeights(young) > sumWeights(offers) ? young : []
  return { route: [best.hop, ...quote.route], offers, overruled, settled, tier, usdE18: settled.usdE36 / guardE18 }
}

/** How sound a pool is with a quote. */
export function toTier(quote: PricedToken, pool: { readonly isNamed: boolean; readonly isEstablished: boolean }): PriceTier {
  return leastSound(quote.tier, !pool.isNamed ? 'unnamed' : pool.isEstablished ? 'established' : 'young')
}

/** The pool as a step from its other token to `quote`; undefined when a token of it cannot be counted. */
export function toHop(
  pool: Omit<RoutePool, 'isEstablished'>,
  quote: Address,
  quoteUsdE18: bigint,
  decimals: Decimals,
): Hop | undefined {
  const step = pool.window.sqrtPriceX96 === 0n ? undefined : toStep(pool, quote, decimals)
  return step && { ...step, depthUsdE18: depthUsd(pool.window, step, quoteUsdE18) }
}

/** A pool as a way from one token to another, whatever is in it. */
export type Step = Omit<Hop, 'depthUsdE18'>

/** @returns undefined when a token of the pool cannot be counted */
export function toStep(
  { address: pool, token0, token1 }: Pick<RoutePool, 'address' | 'token0' | 'token1'>,
  quote: Address,
  decimals: Decimals,
): Step | undefined {
  const [decimals0, decimals1] = [decimals.get(token0), decimals.get(token1)]
  if (decimals0 === undefined || decimals1 === undefined) return undefined
  const baseIsToken0 = token1 === quote
  return { pool, base: baseIsToken0 ? token0 : token1, quote, baseIsToken0, decimals0, decimals1 }
}

/** US dollars x 10^18 that trade within 2 % of the price. */
export function depthUsd(depth: Depth, hop: Step, quoteUsdE18: bigint): bigint {
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
