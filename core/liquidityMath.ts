// Uniswap v3's SqrtPriceMath and FullMath, in whole numbers of any size. Prices are sqrt(token1 per token0) x 2^96.

const q96 = 1n << 96n

/** a / b, rounded up; both not negative. */
export function divideUp(a: bigint, b: bigint): bigint {
  return a === 0n ? 0n : (a - 1n) / b + 1n
}

/** Token0 in smallest units between two prices, as the pool rounds it (`getAmount0Delta`). The prices in any order, not 0. */
export function amount0Between(priceA: bigint, priceB: bigint, liquidity: bigint, rounding: 'up' | 'down'): bigint {
  const [lower, upper] = priceA < priceB ? [priceA, priceB] : [priceB, priceA]
  const numerator = (liquidity << 96n) * (upper - lower)
  return rounding === 'up' ? divideUp(divideUp(numerator, upper), lower) : numerator / upper / lower
}

/** Token1 in smallest units between two prices, as the pool rounds it (`getAmount1Delta`). The prices in any order. */
export function amount1Between(priceA: bigint, priceB: bigint, liquidity: bigint, rounding: 'up' | 'down'): bigint {
  const numerator = liquidity * (priceA < priceB ? priceB - priceA : priceA - priceB)
  return rounding === 'up' ? divideUp(numerator, q96) : numerator / q96
}
