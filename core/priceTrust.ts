import type { PriceTier } from './candidate.ts'
import { oneE18 } from './fixedPoint.ts'
import { daySeconds } from './periods.ts'

const quietDaysMax = 30
/** Depth at which a price is trusted half. */
const halfTrustFloors = 10n
/** Of a price whose pools are not established, or in a token that the network does not name as a quote. */
const weakTrust = 0.5
/** A price that may be off by so much of itself is trusted half. */
const halfTrustSpread = 0.1
/** Trust that is left however far the prices lie apart. */
const spreadTrustMin = 0.1

/** What a price of pools is trusted by. */
export type TrustFacts = {
  /** Of the pools that agree; undefined for a stable coin, which is taken at its word. US dollars x 10^18. */
  readonly depthUsdE18: bigint | undefined
  readonly depthFloorUsdE18: bigint
  /** Since the last trade of the quietest pool on the route; undefined when one of them never traded. */
  readonly quietSeconds: number | undefined
  /** The least sound of all pools that count. */
  readonly tier: PriceTier
  /** How far from the price its range goes, as a part of it. */
  readonly spread: number
}

/**
 * How far a price of pools can be trusted, 0 to 1, to two decimals: depth / (depth + 10 floors), times 1 when the route traded within
 * a day, falling to 0.5 at 30 quiet days, times 1 when all prices agree, falling to 0.5 when one is 10 % off and to 0.1, half of that
 * while its pools are not established or not in named quotes. Of a stable coin only that all prices agree counts. Pure.
 */
export function trustPrice({ depthUsdE18, quietSeconds, tier, spread, ...facts }: TrustFacts): number {
  const spreadTrust = Math.max(spreadTrustMin, 1 - spread / (2 * halfTrustSpread))
  if (depthUsdE18 === undefined) return Math.round(spreadTrust * 100) / 100
  const depthTrust = Number(depthUsdE18) / Number(depthUsdE18 + halfTrustDepth(facts))
  const quietTrust = 1 - quietDaysOf(quietSeconds) / quietDaysMax / 2
  const tierTrust = tier === 'established' ? 1 : weakTrust
  return Math.round(depthTrust * quietTrust * spreadTrust * tierTrust * 100) / 100
}

/** Depth, in US dollars x 10^18, at which a price is trusted half. */
export function halfTrustDepth({ depthFloorUsdE18 }: Pick<TrustFacts, 'depthFloorUsdE18'>): bigint {
  return halfTrustFloors * (depthFloorUsdE18 > oneE18 ? depthFloorUsdE18 : oneE18)
}

/** Days without a trade beyond the first, as far as they count. @param quietSeconds undefined: there never was one */
export function quietDaysOf(quietSeconds: number | undefined): number {
  return quietSeconds === undefined ? quietDaysMax : Math.min(quietDaysMax, Math.max(0, quietSeconds / daySeconds - 1))
}
