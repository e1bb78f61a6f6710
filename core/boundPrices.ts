import type { Address } from './address.ts'
import { type Depth, noDepth } from './executableDepth.ts'
import { costToMove, type LastPrice, type Mover, type Offer, type PriceRange, rangeOf, sumWeights } from './fairPrice.ts'
import { getFrom } from './getFrom.ts'
import type { PricedToken } from './pricedToken.ts'
import { guardE18 } from './route.ts'
import { depthUsd, type RoutePool } from './routePool.ts'

/** A pool with its fee in millionths, and what trades within 10 % of its price; undefined where that is not known. */
export type BoundPool = RoutePool & { readonly fee: number; readonly reach: Depth | undefined }

/**
 * Between which prices a token's pools and their last trades lie, and the US dollars x 10^18 in fees that it takes at the least to
 * move its price by 10 % and back; undefined where that is not known, and for a stable coin.
 */
export type PriceBounds = PriceRange & { readonly costUsdE18: bigint | undefined }

const feeUnit = 1_000_000n

export type BoundRequest = {
  /** In the order in which prices follow from each other. */
  readonly found: ReadonlyMap<Address, PricedToken>
  readonly pools: ReadonlyMap<Address, BoundPool>
  /** Between which prices tokens were lately, in US dollars per whole token x 10^18; absent: nothing is known. */
  readonly recent: ReadonlyMap<Address, { readonly lowE18: bigint; readonly highE18: bigint }>
  /** Between which prices stable coins lie that are off their peg, in the same way; absent: a dollar. */
  readonly pegs?: ReadonlyMap<Address, { readonly lowE18: bigint; readonly highE18: bigint }>
}

/** The bounds of each token's price, worked out when they are asked for; undefined of one that was not found. */
export type BoundsOf = Pick<ReadonlyMap<Address, PriceBounds>, 'get'>

/** The bounds of all prices. Those of a token hold what the tokens that it is priced in were lately. Pure. */
export function boundPrices({ found, pools, recent, pegs }: BoundRequest): BoundsOf {
  const known = new Map<Address, PriceBounds>()
  const bound = (token: Address, priced: PricedToken): PriceBounds => {
    const { offers, settled } = priced
    const own = rangeOfToken(priced, {
      lastOf: ({ hop }) => {
        const { sqrtPriceX96, reach } = getFrom(pools, hop.pool)
        return { sqrtPriceX96, depthUsdE18: reach && depthUsd(reach, hop, found.get(hop.quote)?.usdE18 ?? 0n) }
      },
      rangeFor: (quote) => widen(getFrom(bounds, quote), recent.get(quote)),
    })
    const range = widen(own, pegs?.get(token))
    return { ...range, costUsdE18: costOf(offers, settled.usdE36, { pools, found, bounds }) }
  }
  const bounds: BoundsOf = {
    get: (token) => {
      const before = known.get(token)
      const priced = found.get(token)
      if (before || !priced) return before
      // What it is priced in was found before it, so this ends.
      const made = bound(token, priced)
      known.set(token, made)
      return made
    },
  }
  return bounds
}

type RangeSources = {
  readonly lastOf: (offer: Offer) => LastPrice
  /** Of a token that is found already. */
  readonly rangeFor: (quote: Address) => PriceRange
}

/**
 * From the lowest to the highest of what a token's pools say, also those that do not count and have more depth. Of young ones it holds the
 * medians alone. Pure.
 */
export function rangeOfToken({ offers, overruled, settled }: PricedToken, { lastOf, rangeFor }: RangeSources): PriceRange {
  const counting = offers.map((offer) => ({
    ...{ offer, last: lastOf(offer) },
    quote: rangeFor(offer.hop.quote),
  }))
  const others = overruled.map(({ offer, tier }) => ({
    ...{ offer, last: tier === 'young' ? undefined : lastOf(offer) },
    quote: rangeFor(offer.hop.quote),
  }))
  const a = rangeOf(counting, settled)
  if (others.length === 0) return a
  const b = rangeOf(others, settled)
  return { lowE36: a.lowE36 < b.lowE36 ? a.lowE36 : b.lowE36, highE36: a.highE36 > b.highE36 ? a.highE36 : b.highE36 }
}

function widen(
  { lowE36, highE36 }: PriceRange,
  recent: { readonly lowE18: bigint; readonly highE18: bigint } | undefined,
): PriceRange {
  if (!recent) return { lowE36, highE36 }
  const [low, high] = [recent.lowE18 * guardE18, recent.highE18 * guardE18]
  return { lowE36: low < lowE36 ? low : lowE36, highE36: high > highE36 ? high : highE36 }
}

type Known = {
  readonly pools: ReadonlyMap<Address, BoundPool>
  readonly found: ReadonlyMap<Address, PricedToken>
  readonly bounds: BoundsOf
}

/** The cheaper of moving the price up and down by 10 %. */
function costOf(offers: readonly Offer[], usdE36: bigint, known: Known): bigint | undefined {
  if (offers.some(({ hop }) => !known.pools.get(hop.pool)?.reach)) return undefined
  const up = costOfSide(offers, (offer) => offer.usdE36 * 10n < usdE36 * 11n, known)
  const down = costOfSide(offers, (offer) => offer.usdE36 * 10n > usdE36 * 9n, known)
  return least([up ?? [], down ?? []].flat())
}

/**
 * As much has to move as leaves less than half of the weight where the price is: pool by pool, or all at once with the token that they
 * are priced in. What lies on the other side already helps.
 */
function costOfSide(
  offers: readonly Offer[],
  isHere: (offer: Offer) => boolean,
  { pools, found, bounds }: Known,
): bigint | undefined {
  const here = offers.filter(isHere)
  const missing = sumWeights(here) - sumWeights(offers) / 2n
  const movers = here.map(({ hop, weightUsdE18 }): Mover => {
    const { fee, reach } = getFrom(pools, hop.pool)
    const reachUsdE18 = depthUsd(reach ?? noDepth, hop, found.get(hop.quote)?.usdE18 ?? 0n)
    // The fee is paid on the way there and on the way back.
    return { weightUsdE18, costUsdE18: (2n * reachUsdE18 * BigInt(fee)) / feeUnit }
  })
  const quotes = here.flatMap(({ hop }) => bounds.get(hop.quote)?.costUsdE18 ?? [])
  return least([...quotes, costToMove(movers, missing) ?? []].flat())
}

function least(costs: readonly bigint[]): bigint | undefined {
  return costs.length === 0 ? undefined : costs.reduce((low, cost) => (cost < low ? cost : low))
}
