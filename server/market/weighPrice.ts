import { daySeconds, e18ToNumber, formatMoney, oneE18 } from '@chainboard/core'

const quietDaysMax = 30
/** Depth at which a price is trusted half. */
const halfTrustFloors = 10n

/** Of a price whose route has a pool that is not established. */
const youngTrust = 0.5

export type PriceWeight = { readonly confidence: number; readonly reasons: readonly string[] }

type PriceFacts = {
  /** Of the shallowest pool; undefined for a stable coin, which is taken at its word. */
  readonly depthUsdE18: bigint | undefined
  readonly depthFloorUsdE18: bigint
  /** Since the last trade of the quietest pool on the route; undefined when one of them never traded. */
  readonly quietSeconds: number | undefined
  /** Whether all pools on the route are. */
  readonly isEstablished: boolean
}

/**
 * How far a pool price can be trusted: depth / (depth + 10 floors), times 1 when the route traded within a day, falling to
 * 0.5 at 30 quiet days, and half of that while a pool on the route is not established. To two decimals.
 */
export function weighPrice({ depthUsdE18, depthFloorUsdE18, quietSeconds, isEstablished }: PriceFacts): PriceWeight {
  if (depthUsdE18 === undefined) return { confidence: 1, reasons: [] }
  const halfTrust = halfTrustFloors * (depthFloorUsdE18 > oneE18 ? depthFloorUsdE18 : oneE18)
  const depthTrust = e18ToNumber(depthUsdE18) / e18ToNumber(depthUsdE18 + halfTrust)
  const quietDays = quietSeconds === undefined ? quietDaysMax : Math.min(quietDaysMax, Math.max(0, quietSeconds / daySeconds - 1))
  const reasons: string[] = []
  if (depthUsdE18 < halfTrust) reasons.push(`Shallow: ${formatMoney(e18ToNumber(depthUsdE18))} within 2 % of the price`)
  if (quietSeconds === undefined) reasons.push('A pool on the way has never traded')
  else if (quietDays > 0) reasons.push(`Last trade ${Math.floor(quietSeconds / daySeconds)} d before`)
  if (!isEstablished && quietSeconds !== undefined) reasons.push('A pool on the way has traded for less than an hour')
  const ageTrust = isEstablished ? 1 : youngTrust
  return { confidence: Math.round(depthTrust * (1 - quietDays / quietDaysMax / 2) * ageTrust * 100) / 100, reasons }
}
