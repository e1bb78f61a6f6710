import { absolute, daySeconds, e18ToNumber, formatMoney, formatUsdPrice, oneE18, type PriceTier } from '@chainboard/core'
import type { UsdRange } from './answerFromPools.ts'

const quietDaysMax = 30
/** Depth at which a price is trusted half. */
const halfTrustFloors = 10n

/** Of a price whose pools are not established, or in a token that the network does not name as a quote. */
const weakTrust = 0.5

/** A price that may be off by so much of itself is trusted half. */
const halfTrustSpread = 0.1
/** Trust that is left however far the prices lie apart. */
const spreadTrustMin = 0.1
/** Prices so far apart are worth a word. */
const spreadNamed = 0.02

export type PriceWeight = { readonly confidence: number; readonly reasons: readonly string[] }

type PriceFacts = {
  readonly usdE18: bigint
  /** By what its pools say now, their last trades included. */
  readonly pools: UsdRange
  /** By what the price was in the last hours. */
  readonly recent: UsdRange
  readonly lastUsdE18: bigint | undefined
  /** Of the pools that agree; undefined for a stable coin, which is taken at its word. */
  readonly depthUsdE18: bigint | undefined
  readonly depthFloorUsdE18: bigint
  /** Since the last trade of the quietest pool on the route; undefined when one of them never traded. */
  readonly quietSeconds: number | undefined
  /** The least sound of all pools that count. */
  readonly tier: PriceTier
  /** The first token on the way that is not named as a quote. */
  readonly unnamedQuote: string | undefined
}

/**
 * How far a pool price can be trusted: depth / (depth + 10 floors), times 1 when the route traded within a day, falling to
 * 0.5 at 30 quiet days, times 1 when all prices agree, falling to 0.5 when one is 10 % off and to 0.1, and half of that while its
 * pools are not established or not in named quotes. To two decimals.
 */
export function weighPrice(facts: PriceFacts): PriceWeight {
  const { depthUsdE18, depthFloorUsdE18, quietSeconds, tier, unnamedQuote } = facts
  if (depthUsdE18 === undefined) return { confidence: 1, reasons: [] }
  const halfTrust = halfTrustFloors * (depthFloorUsdE18 > oneE18 ? depthFloorUsdE18 : oneE18)
  const depthTrust = e18ToNumber(depthUsdE18) / e18ToNumber(depthUsdE18 + halfTrust)
  const quietDays = quietSeconds === undefined ? quietDaysMax : Math.min(quietDaysMax, Math.max(0, quietSeconds / daySeconds - 1))
  const reasons = describeSpread(facts)
  if (depthUsdE18 < halfTrust) reasons.push(`Shallow: ${formatMoney(e18ToNumber(depthUsdE18))} within 2 % of the price`)
  if (quietSeconds === undefined) reasons.push('A pool on the way has never traded')
  else if (quietDays > 0) reasons.push(`Last trade ${Math.floor(quietSeconds / daySeconds)} d before`)
  if (tier === 'unnamed')
    reasons.push(`Priced in ${unnamedQuote ?? 'a token'}, which is not one of the quote tokens of the network`)
  if (tier === 'young' && quietSeconds !== undefined) reasons.push('A pool on the way has traded for less than an hour')
  const spread = Math.max(spreadOf(facts, facts.pools), spreadOf(facts, facts.recent))
  const spreadTrust = Math.max(spreadTrustMin, 1 - spread / (2 * halfTrustSpread))
  const tierTrust = tier === 'established' ? 1 : weakTrust
  const confidence = depthTrust * (1 - quietDays / quietDaysMax / 2) * spreadTrust * tierTrust
  return { confidence: Math.round(confidence * 100) / 100, reasons }
}

function describeSpread(facts: PriceFacts): string[] {
  const { lastUsdE18, pools, recent } = facts
  const reasons: string[] = []
  if (lastUsdE18 !== undefined && partOf(facts, lastUsdE18) > spreadNamed)
    reasons.push(`Last traded at ${toText(lastUsdE18)}, which has not lasted long enough to count`)
  else if (spreadOf(facts, pools) > spreadNamed)
    reasons.push(`Its pools, or those of what it is priced in, say ${toText(pools.lowE18)} to ${toText(pools.highE18)}`)
  if (spreadOf(facts, recent) > spreadNamed)
    reasons.push(`Was between ${toText(recent.lowE18)} and ${toText(recent.highE18)} in the last two hours`)
  return reasons
}

/** How far from the price the range goes, as a part of the price. */
function spreadOf(facts: Pick<PriceFacts, 'usdE18'>, { lowE18, highE18 }: UsdRange): number {
  return Math.max(partOf(facts, lowE18), partOf(facts, highE18))
}

function partOf({ usdE18 }: Pick<PriceFacts, 'usdE18'>, otherE18: bigint): number {
  return usdE18 === 0n ? 0 : Number((absolute(otherE18 - usdE18) * 1_000_000n) / usdE18) / 1e6
}

function toText(usdE18: bigint): string {
  return formatUsdPrice(e18ToNumber(usdE18))
}
