import { type Fraction, tenTo } from './fixedPoint.ts'

const q192 = 1n << 192n

/** What the price of a pool's tokens hangs on. `sqrtPriceX96` is sqrt(token1 per token0, in smallest units) x 2^96. */
export type PoolPrice = { readonly sqrtPriceX96: bigint; readonly decimals0: number; readonly decimals1: number }

/** Whole token0 for one whole token1. The subgraph's convention: `token0Price` is NOT the price of token0. */
export function token0Price({ sqrtPriceX96, decimals0, decimals1 }: PoolPrice): Fraction {
  return { numerator: q192 * tenTo(decimals1), denominator: sqrtPriceX96 * sqrtPriceX96 * tenTo(decimals0) }
}

/** Whole token1 for one whole token0. The subgraph's convention, as above. */
export function token1Price({ sqrtPriceX96, decimals0, decimals1 }: PoolPrice): Fraction {
  return { numerator: sqrtPriceX96 * sqrtPriceX96 * tenTo(decimals0), denominator: q192 * tenTo(decimals1) }
}

/** Whole quote tokens for one whole base token, whichever side of the pool the base is on. */
export function basePrice(pool: PoolPrice, baseIsToken0: boolean): Fraction {
  return baseIsToken0 ? token1Price(pool) : token0Price(pool)
}
