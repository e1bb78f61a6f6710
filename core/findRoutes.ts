import type { Address } from './address.ts'
import { addOffers, type Candidate, isBetter, isSounder, type TieredOffer } from './candidate.ts'
import { makeOffer, usdE36Max } from './fairPrice.ts'
import { getFrom } from './getFrom.ts'
import { MaxHeap } from './maxHeap.ts'
import { type PricedToken, toPriced, toTier } from './pricedToken.ts'
import { priceStables } from './priceStables.ts'
import { groupByToken, type RoutePool, type StepTo, toHop } from './routePool.ts'
import { runAtOnce } from './runAtOnce.ts'

/**
 * `thin`: tokens that only pools under the floor could price, with the deepest such pool's depth. `named`: the quotes of the network,
 * `stables` among them.
 */
export type Routes = {
  /** In the order in which prices follow from each other. */
  readonly found: ReadonlyMap<Address, PricedToken>
  readonly thin: ReadonlyMap<Address, bigint>
  readonly named: ReadonlySet<Address>
  readonly stables: readonly Address[]
}

export type RouteRequest = RouteRules & {
  readonly pools: readonly RoutePool[]
  readonly stepTo: StepTo
  /** Tokens whose prices are wanted: one of the others that has a single pool is left out, as nothing follows from its price. Absent: all are. */
  readonly wants?: (token: Address) => boolean
  /** All stable coins count as a dollar: what pools say at one moment alone is not enough to call one off. */
  readonly takesStablesAtWord?: boolean
}

/** What a network says of prices. */
export type RouteRules = {
  /** The first one is the unit of account, one dollar by definition. */
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
 * Prices every token by its pools with tokens that have a price already, at most four hops away from a stable coin: the quotes of the network
 * first, as far as such quotes lead to them, the equally sound in the network's order, then those with most behind them. Where a token has
 * a sounder way, others do not count. Pure.
 */
export function findRoutes(request: RouteRequest): Routes {
  return runAtOnce(walkRoutes(request))
}

/** Some 0.1 ms of work. */
const poolsPerStep = 50

/** The same in short steps, for who does other things in between. */
export function* walkRoutes({
  pools,
  stepTo,
  stables,
  wrappedNative,
  quotes,
  depthFloorUsdE18,
  wants = () => true,
  takesStablesAtWord = false,
}: RouteRequest): Generator<void, Routes> {
  const named = new Set([...stables, wrappedNative, ...quotes])
  const found = priceStables({ stables, pools: takesStablesAtWord ? [] : pools, stepTo, depthFloorUsdE18 })
  const thin = new Map<Address, bigint>()
  const poolsOf = groupByToken(pools)
  const known = new Map<Address, Candidate>()
  // An attacker could put more depth behind another token for a moment. That token would come first, and lose its pools with the quote.
  const leads = ({ token, tier }: Candidate) => named.has(token) && isSounder(tier, 'unnamed')
  const places = new Map([...named].map((token, place) => [token, place]))
  const placeOf = ({ token }: Candidate) => places.get(token) ?? Number.POSITIVE_INFINITY
  const candidates = new MaxHeap<Candidate>((a, b) => {
    if (leads(a) !== leads(b)) return leads(a)
    return leads(a) && a.tier === b.tier && a.token !== b.token ? placeOf(a) < placeOf(b) : isBetter(a, b)
  })

  const lookAt = (pool: RoutePool, quote: Address, from: PricedToken, offers: Map<Address, TieredOffer[]>) => {
    const hop = toHop(pool, quote, from.usdE18, stepTo)
    if (!hop || found.has(hop.base)) return
    const offer = makeOffer(hop, pool.window.sqrtPriceX96, from.settled)
    if (offer.usdE36 > usdE36Max) return
    if (hop.depthUsdE18 < depthFloorUsdE18 || hop.depthUsdE18 === 0n) {
      if (hop.depthUsdE18 > (thin.get(hop.base) ?? -1n)) thin.set(hop.base, hop.depthUsdE18)
      return
    }
    if (!wants(hop.base) && poolsOf.get(hop.base)?.length === 1) return
    const { isEstablished, window } = pool
    const tiered = { offer, tier: toTier(from, { isNamed: named.has(quote), isEstablished, isSettled: window.isSettled }) }
    const others = offers.get(hop.base)
    if (others) others.push(tiered)
    else offers.set(hop.base, [tiered])
  }
  const addCandidates = (offers: ReadonlyMap<Address, TieredOffer[]>, from: PricedToken) => {
    for (const [token, own] of offers) {
      const candidate = addOffers(known.get(token), own, from.settled)
      if (!candidate || candidate === known.get(token)) continue
      known.set(token, candidate)
      candidates.push(candidate)
    }
  }
  const findNext = (): readonly [Address, PricedToken] | undefined => {
    for (let next = candidates.pop(); next; next = candidates.pop()) {
      const { token } = next
      // One with more pools is in the heap as well.
      if (found.has(token) || next !== known.get(token)) continue
      const priced = toPriced(next, getFrom(found, next.best.hop.quote))
      found.set(token, priced)
      thin.delete(token)
      return [token, priced]
    }
    return undefined
  }

  const begin = [...found]
  let lookedAt = 0
  for (let next = begin.shift() ?? findNext(); next; next = begin.shift() ?? findNext()) {
    const [quote, from] = next
    if (from.route.length >= hopsMax) continue
    const offers = new Map<Address, TieredOffer[]>()
    for (const pool of poolsOf.get(quote) ?? []) {
      lookAt(pool, quote, from, offers)
      lookedAt += 1
      if (lookedAt % poolsPerStep === 0) yield
    }
    addCandidates(offers, from)
  }
  return { found, thin, named, stables }
}
