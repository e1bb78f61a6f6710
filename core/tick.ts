// Uniswap v3's price grid. A pool's price is kept as sqrt(token1 per token0, in smallest units) x 2^96; tick i is the price 1.0001^i.

/** The lowest tick of Uniswap v3 (`TickMath.MIN_TICK`): a price of about 2.9 x 10^-39. */
export const tickMin = -887_272
/** The highest tick of Uniswap v3 (`TickMath.MAX_TICK`): a price of about 3.4 x 10^38. */
export const tickMax = 887_272

/** sqrt(1 / 1.0001)^(2^bit) x 2^128, one factor for each bit of a tick. */
const factors = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
] as const

/** Prices that are kept: pools share few ticks, and each is asked for at every event. */
const keptMax = 65_536
const kept = new Map<number, bigint>()

/**
 * Price of a tick as the pool contract computes it, bit for bit (Uniswap's `TickMath.getSqrtRatioAtTick`).
 * @throws RangeError for what is no tick
 */
export function sqrtPriceX96AtTick(tick: number): bigint {
  const known = kept.get(tick)
  if (known !== undefined) return known
  if (kept.size >= keptMax) kept.clear()
  const price = computePrice(tick)
  kept.set(tick, price)
  return price
}

function computePrice(tick: number): bigint {
  if (!Number.isInteger(tick) || tick < tickMin || tick > tickMax)
    throw new RangeError(`tick ${tick}: expected a whole number within ±${tickMax}`)
  let ratioX128 = 1n << 128n
  const size = Math.abs(tick)
  factors.forEach((factor, bit) => {
    if (size & (1 << bit)) ratioX128 = (ratioX128 * factor) >> 128n
  })
  if (tick > 0) ratioX128 = ((1n << 256n) - 1n) / ratioX128
  return (ratioX128 + 0xffffffffn) >> 32n
}

/** Whether a pool can stand at a price and a tick: having come down to a tick's price it is at the tick below. */
export function isPriceAtTick(sqrtPriceX96: bigint, tick: number): boolean {
  if (tick < tickMin || tick >= tickMax) return false
  return sqrtPriceX96 >= sqrtPriceX96AtTick(tick) && sqrtPriceX96 <= sqrtPriceX96AtTick(tick + 1)
}

/**
 * The highest tick whose price is not above, as a pool's `slot0` has it. The price lies within those of the ticks.
 * @throws RangeError for a price below the lowest tick's
 */
export function tickAtSqrtPrice(sqrtPriceX96: bigint): number {
  if (sqrtPriceX96 < sqrtPriceX96AtTick(tickMin)) throw new RangeError(`sqrtPriceX96 ${sqrtPriceX96}: no tick is so low`)
  const guess = Math.floor((2 * Math.log(Number(sqrtPriceX96) / 2 ** 96)) / Math.log(1.0001))
  let tick = Math.max(tickMin, Math.min(tickMax, guess))
  // A double is a tick off at most.
  while (sqrtPriceX96AtTick(tick) > sqrtPriceX96) tick -= 1
  while (tick < tickMax && sqrtPriceX96AtTick(tick + 1) <= sqrtPriceX96) tick += 1
  return tick
}
