import { absolute, type Fraction, timesFraction } from './fixedPoint.ts'
import { type Hop, hopPrice, oneUsdE36 } from './route.ts'
import { weightedMedian } from './weightedMedian.ts'

/** US dollars per whole token x 10^36: extra digits for the way along several pools, so that a price of 10^-12 keeps its figures. */
export type UsdE36 = bigint

/** A price above a nonillion dollars is no price: it would fit into no column. */
export const usdE36Max = 10n ** 66n

/** What is known of a token that has a price. `depthUsdE18` is undefined for a stable coin, which is taken at its word. */
export type Settled = { readonly usdE36: UsdE36; readonly depthUsdE18: bigint | undefined }

/** What a stable coin is worth that is taken at its word: exactly a dollar, whatever its pools say. */
export const oneDollar: Settled = { usdE36: oneUsdE36, depthUsdE18: undefined }

/** What one pool says a token is worth, and how much that counts. */
export type Offer = {
  readonly hop: Hop
  /** The median of the window. */
  readonly sqrtPriceX96: bigint
  /** Whole quote tokens for one whole base token, by it. */
  readonly price: Fraction
  readonly usdE36: UsdE36
  readonly weightUsdE18: bigint
}

/** Offers this near to the price, in parts of 10,000, agree with it. */
const agreeing = 200n

/**
 * What a pool says by the price of its other token. It weighs what trades in it.
 * @param sqrtPriceX96 the median of the window
 */
export function makeOffer(hop: Hop, sqrtPriceX96: bigint, quote: Settled): Offer {
  const price = hopPrice(hop, sqrtPriceX96)
  return { hop, sqrtPriceX96, price, usdE36: timesFraction(quote.usdE36, price), weightUsdE18: hop.depthUsdE18 }
}

/**
 * All pools of one token in the same quote together weigh no more than what is behind the price of that quote: each gives way by
 * the same part. Pools that are left with nothing are left out. Pure.
 */
export function shareWeights(offers: readonly Offer[], { depthUsdE18: behindUsdE18 }: Settled): readonly Offer[] {
  const total = sumWeights(offers)
  if (behindUsdE18 === undefined || total <= behindUsdE18) return offers
  return offers
    .map((offer) => ({ ...offer, weightUsdE18: (offer.weightUsdE18 * behindUsdE18) / total }))
    .filter(({ weightUsdE18 }) => weightUsdE18 > 0n)
}

/**
 * The price that the pools of a token agree on: the median of what they say, weighted by depth. Its depth is that of the pools
 * within 2 % of it. Pure.
 * @param offers at least one that weighs
 */
export function settle(offers: readonly Offer[]): Settled {
  const [only] = offers
  if (only && offers.length === 1) return { usdE36: only.usdE36, depthUsdE18: only.weightUsdE18 }
  const usdE36 = weightedMedian(offers.map((offer) => ({ value: offer.usdE36, weight: offer.weightUsdE18 })))
  return { usdE36, depthUsdE18: sumWeights(offers.filter((offer) => isNear(offer.usdE36, usdE36))) }
}

/**
 * Offers of so little of all weight, one in so many, do not widen the range. An attacker who outweighs an honest pool that
 * often has to hold their own pool off the market against everybody who trades between the two.
 */
const heardShare = 200n
/** A last price counts if at least one part in so many of all weight trades near it. A false bid then puts that much at risk. */
const lastShare = 20n

/** The lowest and the highest price in US dollars per whole token x 10^36. */
export type PriceRange = { readonly lowE36: UsdE36; readonly highE36: UsdE36 }

/** A pool's price after its last swap, and what trades near it now, in US dollars x 10^18; undefined where that is not known. */
export type LastPrice = { readonly sqrtPriceX96: bigint; readonly depthUsdE18: bigint | undefined }

/** An offer with the range of its other token. */
export type RangedOffer = {
  readonly offer: Offer
  /** Undefined: it says nothing. */
  readonly last: LastPrice | undefined
  readonly quote: PriceRange
}

/**
 * From the lowest to the highest of what the pools say, by their medians and by their last prices; without those that hardly count, and
 * without last prices at which hardly anything trades: an empty pool goes anywhere for nothing. Pure.
 */
export function rangeOf(offers: readonly RangedOffer[], { usdE36 }: Settled): PriceRange {
  const total = sumWeights(offers.map(({ offer }) => offer))
  let [lowE36, highE36] = [usdE36, usdE36]
  const isHeard = (usdE18: bigint, share = heardShare) => usdE18 * share >= total
  for (const { offer, last, quote } of offers) {
    if (!isHeard(offer.weightUsdE18)) continue
    const says = last && last.sqrtPriceX96 !== offer.sqrtPriceX96 && isHeard(last.depthUsdE18 ?? total, lastShare)
    for (const price of says ? [offer.price, hopPrice(offer.hop, last.sqrtPriceX96)] : [offer.price]) {
      const low = timesFraction(quote.lowE36, price)
      const high = quote.highE36 === quote.lowE36 ? low : timesFraction(quote.highE36, price)
      if (low < lowE36) lowE36 = low
      if (high > highE36) highE36 = high
    }
  }
  return { lowE36, highE36 }
}

/** How far from a price a range goes, as a part of the price. Whatever the scale. */
export function toSpread(price: bigint, { lowE36, highE36 }: PriceRange): number {
  return Math.max(partOf(price, lowE36), partOf(price, highE36))
}

/** How far another price is from one, as a part of it. */
export function partOf(price: bigint, other: bigint): number {
  if (price === 0n) return other === 0n ? 0 : 1
  return Number((absolute(other - price) * 1_000_000n) / price) / 1e6
}

/** Something that moves a part of a token's weight when it is moved. */
export type Mover = { readonly weightUsdE18: bigint; readonly costUsdE18: bigint }

/**
 * US dollars x 10^18 that it takes at the least to move movers of so much weight, the cheapest for their weight first; undefined
 * when those that can be moved are not enough. Pure.
 */
export function costToMove(movers: readonly Mover[], weightUsdE18: bigint): bigint | undefined {
  const cheapestFirst = movers.toSorted((a, b) => compare(a.costUsdE18 * b.weightUsdE18, b.costUsdE18 * a.weightUsdE18))
  let [missing, costE18] = [weightUsdE18, 0n]
  for (const { weightUsdE18: weight, costUsdE18 } of cheapestFirst) {
    if (weight >= missing) return costE18 + (costUsdE18 * missing) / weight
    missing -= weight
    costE18 += costUsdE18
  }
  return undefined
}

/** Whether a price is within 2 % of another one, both ends included. The 2 % are of `toE36`, so that a zero is near zero alone. */
export function isNear(usdE36: UsdE36, toE36: UsdE36): boolean {
  const apart = usdE36 > toE36 ? usdE36 - toE36 : toE36 - usdE36
  return apart * 10_000n <= toE36 * agreeing
}

/** US dollars x 10^18 of all offers together; 0 without any. */
export function sumWeights(offers: readonly { readonly weightUsdE18: bigint }[]): bigint {
  return offers.reduce((sum, { weightUsdE18 }) => sum + weightUsdE18, 0n)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
