import type { Address } from './address.ts'
import { type Offer, type Settled, shareWeights, sumWeights } from './fairPrice.ts'

/**
 * How sound the way to a price is, the least sound first: of pools that have not traded for long and whose price is not settled, as of one
 * that was just made, in tokens that the network does not name as quotes, and in named ones; of pools in unnamed tokens, which anybody may have
 * made; of pools in named quotes that have not traded for long; of established pools whose price is not settled; of established pools. A
 * sounder way does away with the others.
 */
export const priceTiers = ['newUnnamed', 'new', 'unnamed', 'young', 'unsettled', 'established'] as const
export type PriceTier = (typeof priceTiers)[number]

/** What a pool says by one quote, and how sound that is. */
export type TieredOffer = { readonly offer: Offer; readonly tier: PriceTier }

/** What is known of a token's pools so far: those that count, and the one of them that weighs most. */
export type Candidate = {
  readonly token: Address
  readonly offers: readonly Offer[]
  readonly best: Offer
  readonly weightUsdE18: bigint
  readonly tier: PriceTier
  /** Pools that do not count, as others are sounder. */
  readonly lesser: readonly TieredOffer[]
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

/** Whether `a` does away with `b`. Of equals neither does. */
export function isSounder(a: PriceTier, b: PriceTier): boolean {
  return priceTiers.indexOf(a) > priceTiers.indexOf(b)
}

/** The tier of a way over both: no way is sounder than its least sound part. */
export function leastSound(a: PriceTier, b: PriceTier): PriceTier {
  return isSounder(a, b) ? b : a
}

/** The candidate with its pools in one more quote. Sounder ones do away with the others. @param more at least one */
export function addOffers(known: Candidate | undefined, more: readonly TieredOffer[], quote: Settled): Candidate | undefined {
  const own = shareByTier(more, quote)
  const all = known ? [...known.offers.map((offer) => ({ offer, tier: known.tier })), ...known.lesser, ...own] : own
  const [first] = all
  if (!first) return undefined
  let { tier } = first
  for (const one of all) if (isSounder(one.tier, tier)) tier = one.tier
  const offers: Offer[] = []
  const lesser: TieredOffer[] = []
  let best = first.offer
  for (const one of all) {
    if (one.tier !== tier) {
      lesser.push(one)
      continue
    }
    if (offers.length === 0 || isHeavier(one.offer, best)) best = one.offer
    offers.push(one.offer)
  }
  return { token: best.hop.base, offers, best, weightUsdE18: sumWeights(offers), tier, lesser }
}

/** Pools of one tier share what is behind the quote; each tier has all of it. */
function shareByTier(more: readonly TieredOffer[], quote: Settled): readonly TieredOffer[] {
  const share = (tier: PriceTier, pools: readonly TieredOffer[]) => {
    const offers = shareWeights(
      pools.map(({ offer }) => offer),
      quote,
    )
    return offers.map((offer) => ({ offer, tier }))
  }
  const [only] = more
  if (only && more.length === 1) return share(only.tier, more)
  return [...Map.groupBy(more, ({ tier }) => tier)].flatMap(([tier, pools]) => share(tier, pools))
}
