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
import type { UsdRange } from './answerFromPools.ts'

/** Prices so far apart are worth a word. */
const spreadNamed = 0.02

/** A confidence that was so much less in the last hours is worth a word. */
const trustNamed = 0.1

export type PriceWeight = { readonly confidence: number; readonly reasons: readonly string[] }

type PriceFacts = Omit<TrustFacts, 'spread'> & {
  readonly usdE18: bigint
  /** By what its pools say now, their last trades included. */
  readonly pools: UsdRange
  /** By what the price was in the last hours. */
  readonly recent: UsdRange
  /** The least confidence of the last hours, in hundredths; undefined where none is known. */
  readonly recentTrust: number | undefined
  readonly lastUsdE18: bigint | undefined
  /** The first token on the way that is not named as a quote. */
  readonly unnamedQuote: string | undefined
}

/** How far a pool price can be trusted, with what weakens it: as {@link trustPrice} says, and never more than in the last hours. */
export function weighPrice(facts: PriceFacts): PriceWeight {
  const { depthUsdE18, quietSeconds, tier, unnamedQuote, recentTrust = 100 } = facts
  if (depthUsdE18 === undefined) return { confidence: 1, reasons: [] }
  const quietDays = quietDaysOf(quietSeconds)
  const reasons = describeSpread(facts)
  if (depthUsdE18 < halfTrustDepth(facts))
    reasons.push(`Shallow: ${formatMoney(e18ToNumber(depthUsdE18))} within 2 % of the price`)
  if (quietSeconds === undefined) reasons.push('A pool on the way has never traded')
  else if (quietDays > 0) reasons.push(`Last trade ${Math.floor(quietSeconds / daySeconds)} d before`)
  if (tier === 'unnamed')
    reasons.push(`Priced in ${unnamedQuote ?? 'a token'}, which is not one of the quote tokens of the network`)
  if (tier === 'young' && quietSeconds !== undefined) reasons.push('A pool on the way has traded for less than an hour')
  const now = trustPrice({ ...facts, spread: Math.max(spreadOf(facts, facts.pools), spreadOf(facts, facts.recent)) })
  const least = recentTrust / 100
  if (now - least >= trustNamed) reasons.push(`Confidence was ${least.toFixed(2)} in the last two hours`)
  return { confidence: Math.min(now, least), reasons }
}

function describeSpread(facts: PriceFacts): string[] {
  const { lastUsdE18, pools, recent } = facts
  const reasons: string[] = []
  if (lastUsdE18 !== undefined && partOf(facts.usdE18, lastUsdE18) > spreadNamed)
    reasons.push(`Last traded at ${toText(lastUsdE18)}, which has not lasted long enough to count`)
  else if (spreadOf(facts, pools) > spreadNamed)
    reasons.push(`Its pools, or those of what it is priced in, say ${toText(pools.lowE18)} to ${toText(pools.highE18)}`)
  if (spreadOf(facts, recent) > spreadNamed)
    reasons.push(`Was between ${toText(recent.lowE18)} and ${toText(recent.highE18)} in the last two hours`)
  return reasons
}

/** How far from the price the range goes, as a part of the price. */
function spreadOf(facts: Pick<PriceFacts, 'usdE18'>, { lowE18, highE18 }: UsdRange): number {
  return Math.max(partOf(facts.usdE18, lowE18), partOf(facts.usdE18, highE18))
}

function toText(usdE18: bigint): string {
  return formatUsdPrice(e18ToNumber(usdE18))
}
