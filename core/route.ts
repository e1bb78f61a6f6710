import type { Address } from './address.ts'
import { timesFraction } from './fixedPoint.ts'
import { basePrice, type PoolPrice } from './poolPrice.ts'

/** One step of a route from a token toward US dollars: `base` is priced in `quote` by `pool`. */
export type Hop = {
  readonly pool: Address
  readonly base: Address
  readonly quote: Address
  readonly baseIsToken0: boolean
  readonly decimals0: number
  readonly decimals1: number
  /** The base token's liquidity within 2 % of the price, in US dollars x 10^18. */
  readonly depthUsdE18: bigint
}

/** From a token (first hop's base) to a token worth one US dollar (last hop's quote); empty for such a token itself. */
export type Route = readonly Hop[]

/** Extra digits inside a product of several hops, so that a price of 10^-12 keeps its figures. */
export const guardE18 = 10n ** 18n
/** A US dollar at the precision within a route: x 10^36. */
export const oneUsdE36 = 10n ** 36n

/**
 * US dollars per whole token x 10^18 at the pool prices given.
 * @param priceOf sqrtPriceX96 of a pool; undefined when it had none
 * @returns undefined when a hop has no price
 */
export function usdAlong(route: Route, priceOf: (pool: Address) => bigint | undefined): bigint | undefined {
  let usdE36 = oneUsdE36
  for (const hop of route.toReversed()) {
    const sqrtPriceX96 = priceOf(hop.pool)
    if (!sqrtPriceX96) return undefined
    usdE36 = timesFraction(usdE36, hopPrice(hop, sqrtPriceX96))
  }
  return usdE36 / guardE18
}

/** Whole quote tokens for one whole base token. */
export function hopPrice(hop: Pick<Hop, 'baseIsToken0' | 'decimals0' | 'decimals1'>, sqrtPriceX96: bigint) {
  const pool: PoolPrice = { sqrtPriceX96, decimals0: hop.decimals0, decimals1: hop.decimals1 }
  return basePrice(pool, hop.baseIsToken0)
}
