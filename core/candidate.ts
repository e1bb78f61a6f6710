import type { Address } from './address.ts'
import { type Offer, type Settled, shareWeights, sumWeights } from './fairPrice.ts'

/**
 * How sound the way to a price is, the least sound first: of pools in tokens that the network does not name as quotes, which anybody
 * may have made, and of young pools whose price is not settled; of pools that have not traded for long; of established pools whose price
 * is not settled; of established pools, all of these in named quotes. A sounder way does away with the others.
 */
export const priceTiers = ['unnamed', 'young', 'unsettled', 'established'] as const
export type PriceTier = (typeof priceTiers)[number]

/** What is known of a token's pools so far: those that count, and the one of them that weighs most. */
export type Candidate = {
  readonly token: Address
  readonly offers: readonly Offer[]
  readonly best: Offer
  readonly weightUsdE18: bigint
  readonly tier: PriceTier
  /** Pools in named quotes that are settled and not established, whether they count or not. */
  readonly young: readonly Offer[]
}

/**
 * Which of two tokens comes first: the one with the sounder way, however shallow, then the one with more behind it. With equally
 * much behind them the heavier pool counts, then the deeper one, and at last its address, so that the same pools in whatever
 * order give the same.
 */
export function isBetter(a: Candidate, b: Candidate): boolean {
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

export function leastSound(a: PriceTier, b: PriceTier): PriceTier {
  return isSounder(a, b) ? b : a
}

/** What a pool says by one quote, and how sound that is. */
export type TieredOffer = { readonly offer: Offer; readonly tier: PriceTier }

/** The candidate with its pools in one more quote. Sounder ones do away with the others. @param more at least one */
export function addOffers(known: Candidate | undefined, more: readonly TieredOffer[], quote: Settled): Candidate | undefined {
  const tier = more.map((one) => one.tier).reduce((a, b) => (isSounder(b, a) ? b : a))
  const ofTier = (wanted: PriceTier): readonly Offer[] => {
    const own = more.filter((one) => one.tier === wanted).map(({ offer }) => offer)
    return own.length === 0 ? own : shareWeights(own, quote)
  }
  const youngNow = ofTier('young')
  const young = [...(known?.young ?? []), ...youngNow]
  if (known && isSounder(known.tier, tier)) return youngNow.length > 0 ? { ...known, young } : known
  const offers = [...(known?.tier === tier ? known.offers : []), ...ofTier(tier)]
  const [first] = offers
  if (!first) return known
  const best = offers.reduce((heaviest, offer) => (isHeavier(offer, heaviest) ? offer : heaviest), first)
  return { token: first.hop.base, offers, best, weightUsdE18: sumWeights(offers), tier, young }
}
