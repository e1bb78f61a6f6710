import {
  daySeconds,
  e18ToNumber,
  formatMoney,
  formatUsdPrice,
  halfTrustDepth,
  partOf,
  quietDaysOf,
  type TrustFacts,
  trustPrice,
} from '@chainboard/core'

/** US dollars per whole token x 10^18. */
export type UsdRange = { readonly lowE18: bigint; readonly highE18: bigint }

/** Pools so far apart are worth a word. */
const spreadNamed = 0.02
/** So is a price that moved so far in two hours: many a token moves by less on any day. */
const moveNamed = 0.05

/** A confidence that was so much less in the last hours is worth a word. */
const trustNamed = 0.1

export type PriceWeight = { readonly confidence: number; readonly reasons: readonly string[] }

type PriceFacts = Omit<TrustFacts, 'spread'> & {
  readonly usdE18: bigint
  /** By what its pools say now, their last trades included. */
  readonly pools: UsdRange
  /** How far from the price that is, as a part of it, by all digits: a price of less than 10^-18 dollars has none that are served. */
  readonly poolSpread: number
  /** By what the price was in the last hours. */
  readonly recent: UsdRange
  /** The least confidence of the last hours, in hundredths; undefined where none is known. */
  readonly recentTrust: number | undefined
  /** What it was for half of the last day, in the same way. */
  readonly lastingTrust: number | undefined
  readonly lastUsdE18: bigint | undefined
  /** Pools that do not count and have more depth, in US dollars x 10^18, than those that do, and what they say; undefined: none. */
  readonly overruled: (UsdRange & { readonly depthUsdE18: bigint }) | undefined
  /** The first token on the way that is not named as a quote. */
  readonly unnamedQuote: string | undefined
}

/** How far a pool price can be trusted, with what weakens it: as {@link trustPrice} says, never more than in the last hours, and never more than has lasted. */
export function weighPrice(facts: PriceFacts): PriceWeight {
  const { depthUsdE18, quietSeconds, tier, unnamedQuote, recentTrust = 100, lastingTrust = 100 } = facts
  if (depthUsdE18 === undefined) return weighStable(facts)
  const quietDays = quietDaysOf(quietSeconds)
  const reasons = describeSpread(facts)
  if (depthUsdE18 < halfTrustDepth(facts))
    reasons.push(`Shallow: ${formatMoney(e18ToNumber(depthUsdE18))} within 2 % of the price`)
  if (quietSeconds === undefined) reasons.push('A pool on the route has never traded')
  else if (quietDays > 0) reasons.push(`Last trade ${Math.floor(quietSeconds / daySeconds)} d ago`)
  if (tier === 'unnamed' && unnamedQuote !== undefined)
    reasons.push(`Priced in ${unnamedQuote}, which is not a quote token of the network`)
  if (tier === 'unsettled' || (tier === 'unnamed' && unnamedQuote === undefined))
    reasons.push('The price of a pool on the route has moved by more than 10 % for most of the last minutes')
  if (tier === 'young' && quietSeconds !== undefined) reasons.push('A pool on the route has traded for less than an hour')
  const now = trustPrice({ ...facts, spread: Math.max(facts.poolSpread, spreadOf(facts, facts.recent)) })
  const least = Math.min(recentTrust, lastingTrust) / 100
  if (now - least >= trustNamed) {
    const howLong = recentTrust <= lastingTrust ? 'in the last two hours' : 'for half of the last day'
    reasons.push(`Confidence was ${least.toFixed(2)} ${howLong}`)
  }
  return { confidence: Math.min(now, least), reasons }
}

/** A stable coin is taken at its word, as far as its pools with other ones do not speak against it. */
function weighStable(facts: PriceFacts): PriceWeight {
  const spread = spreadOf(facts, facts.pools)
  const { lowE18, highE18 } = facts.pools
  const reasons = spread > spreadNamed ? [`Pools price it against other stable coins at ${toSpan(lowE18, highE18)}`] : []
  return { confidence: trustPrice({ ...facts, spread }), reasons }
}

function describeSpread(facts: PriceFacts): string[] {
  const { lastUsdE18, pools, poolSpread, recent, overruled } = facts
  const reasons: string[] = []
  if (lastUsdE18 !== undefined && partOf(facts.usdE18, lastUsdE18) > spreadNamed)
    reasons.push(`Last traded at ${toText(lastUsdE18)}, a price that has not lasted long enough to count`)
  else if (overruled && spreadOf(facts, overruled) > spreadNamed) {
    const { depthUsdE18, lowE18, highE18 } = overruled
    const depth = formatMoney(e18ToNumber(depthUsdE18))
    // What they say is far from the price: that they differ among themselves by a hair is no news.
    const says = toText(lowE18) === toText(highE18) ? toText(lowE18) : toSpan(lowE18, highE18)
    reasons.push(`Pools that do not count have more depth (${depth}) than those that do, and price it at ${says}`)
  } else if (poolSpread > spreadNamed)
    reasons.push(`Prices in its pools, or in those of its quote token, range from ${toSpan(pools.lowE18, pools.highE18)}`)
  if (spreadOf(facts, recent) > moveNamed) reasons.push(`Was ${toSpan(recent.lowE18, recent.highE18)} in the last two hours`)
  return reasons
}

/** How far from the price the range goes, as a part of the price. */
function spreadOf(facts: Pick<PriceFacts, 'usdE18'>, { lowE18, highE18 }: UsdRange): number {
  return Math.max(partOf(facts.usdE18, lowE18), partOf(facts.usdE18, highE18))
}

/** Of prices that read alike, more figures: they are there to show a difference. */
function toSpan(lowE18: bigint, highE18: bigint): string {
  const [low, high] = [toText(lowE18), toText(highE18)]
  if (low !== high || lowE18 === highE18) return low === high ? low : `${low} to ${high}`
  for (let digits = 3; digits <= 18; digits += 1) {
    const [a, b] = [lowE18, highE18].map((usdE18) => `$${e18ToNumber(usdE18).toPrecision(digits)}`)
    if (a !== b) return `${a} to ${b}`
  }
  return low
}

function toText(usdE18: bigint): string {
  return formatUsdPrice(e18ToNumber(usdE18))
}
