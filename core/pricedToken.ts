import { type Candidate, isSounder, leastSound, type PriceTier, type TieredOffer } from './candidate.ts'
import { isNear, type Offer, oneDollar, type Settled, settle, sumWeights } from './fairPrice.ts'
import { guardE18, type Route } from './route.ts'

/** How a token gets its price. */
export type PricedToken = {
  /** Along the pool that weighs most, and along that of its other token; empty for a stable coin that counts as a dollar. */
  readonly route: Route
  /** Every pool that counts; none for a stable coin that counts as a dollar. */
  readonly offers: readonly Offer[]
  /** Pools that do not count and yet have more depth, all together, than what does; none where they have less. */
  readonly overruled: readonly TieredOffer[]
  readonly settled: Settled
  /** Pools that do not count and agree with the price: what can be sold in them can be sold, though a sounder pool sets the price. */
  readonly agreeing: readonly Offer[]
  /** The price, in US dollars per whole token x 10^18. */
  readonly usdE18: bigint
  /** The least sound of all pools on the way. */
  readonly tier: PriceTier
}

/** The unit of account, and a stable coin that is taken at its word. */
export const pricedStable: PricedToken = {
  ...{ route: [], offers: [], overruled: [], agreeing: [], settled: oneDollar, tier: 'established' },
  usdE18: oneDollar.usdE36 / guardE18,
}

/** The price by all that is known of a token. @param quote the one of the pool that weighs most */
export function toPriced(candidate: Candidate, quote: PricedToken): PricedToken {
  const { offers, best, tier } = candidate
  const settled = settle(offers)
  return {
    ...{ route: [best.hop, ...quote.route], offers, overruled: listOverruled(candidate), settled, tier },
    agreeing: listAgreeing(candidate, settled),
    usdE18: settled.usdE36 / guardE18,
  }
}

/** Without new pools, which anybody can have for a block. */
function listAgreeing({ lesser }: Candidate, { usdE36 }: Settled): readonly Offer[] {
  return lesser.flatMap(({ offer, tier }) => (isSounder(tier, 'new') && isNear(offer.usdE36, usdE36) ? [offer] : []))
}

/**
 * New pools speak only against younger ones, as for a token that was just listed: anybody can have one for a block. Those with tokens that
 * the network does not name never do: depth against a token of one's own costs nobody a risk.
 */
function listOverruled({ lesser, tier: counting, weightUsdE18 }: Candidate): readonly TieredOffer[] {
  const speaks = ({ tier }: TieredOffer) => tier === 'unsettled' || tier === 'young' || (tier === 'new' && counting === 'young')
  const pools = lesser.filter(speaks)
  return sumWeights(pools.map(({ offer }) => offer)) > weightUsdE18 ? pools : []
}

type PoolStanding = { readonly isNamed: boolean; readonly isEstablished: boolean; readonly isSettled: boolean }

/** How sound a pool is with a quote. */
export function toTier(quote: PricedToken, pool: PoolStanding): PriceTier {
  return leastSound(quote.tier, tierOf(pool))
}

function tierOf({ isNamed, isEstablished, isSettled }: PoolStanding): PriceTier {
  if (!isEstablished && !isSettled) return isNamed ? 'new' : 'newUnnamed'
  if (!isNamed) return 'unnamed'
  if (!isEstablished) return 'young'
  return isSettled ? 'established' : 'unsettled'
}
