import { daySeconds, e18ToNumber, formatMoney, oneE18 } from '@chainboard/core'

const quietDaysMax = 30
/** Depth at which a price is trusted half. */
const halfTrustFloors = 10n

export type PriceWeight = { readonly confidence: number; readonly reasons: readonly string[] }

/**
 * How far a pool price can be trusted: depth / (depth + 10 floors), times 1 when the route traded within a day, falling to
 * 0.5 at 30 quiet days. To two decimals.
 * @param depthUsdE18 of the shallowest pool; undefined for a stable coin, which is taken at its word
 * @param quietSeconds since the last trade of the quietest pool on the route
 */
export function weighPrice(depthUsdE18: bigint | undefined, depthFloorUsdE18: bigint, quietSeconds: number): PriceWeight {
  if (depthUsdE18 === undefined) return { confidence: 1, reasons: [] }
  const halfTrust = halfTrustFloors * (depthFloorUsdE18 > oneE18 ? depthFloorUsdE18 : oneE18)
  const depthTrust = e18ToNumber(depthUsdE18) / e18ToNumber(depthUsdE18 + halfTrust)
  const quietDays = Math.min(quietDaysMax, Math.max(0, quietSeconds / daySeconds - 1))
  const reasons: string[] = []
  if (depthUsdE18 < halfTrust) reasons.push(`Shallow: ${formatMoney(e18ToNumber(depthUsdE18))} within 2 % of the price`)
  if (quietDays > 0) reasons.push(`Last trade ${Math.floor(quietSeconds / daySeconds)} d before`)
  return { confidence: Math.round(depthTrust * (1 - quietDays / quietDaysMax / 2) * 100) / 100, reasons }
}
