import { sqrtPriceX96AtTick, tickAtSqrtPrice, tickMax, tickMin } from '@chainboard/core'

/** A pool of the model chain, as its contract's storage would be: exact, and never changed in place. */
export type ModelPool = {
  readonly address: string
  readonly token0: string
  readonly token1: string
  /** Millionths. */
  readonly fee: number
  readonly tickSpacing: number
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  readonly feeGrowth0X128: bigint
  readonly feeGrowth1X128: bigint
  readonly ticks: ReadonlyMap<number, { readonly gross: bigint; readonly net: bigint }>
  /** Liquidity by `lower:upper`; all of one owner. */
  readonly positions: ReadonlyMap<string, bigint>
  /** What the tokens' contracts say that it owns. */
  readonly balance0: bigint
  readonly balance1: bigint
}

/** What a swap moved: positive into the pool. */
export type ModelSwap = { readonly pool: ModelPool; readonly amount0: bigint; readonly amount1: bigint }

const q96 = 1n << 96n
const q128 = 1n << 128n
const q256 = 1n << 256n
const million = 1_000_000n

export function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}

export function amount0Of(a: bigint, b: bigint, liquidity: bigint, up: boolean): bigint {
  const [low, high] = a < b ? [a, b] : [b, a]
  const numerator = (liquidity << 96n) * (high - low)
  return up ? ceilDiv(ceilDiv(numerator, high), low) : numerator / high / low
}

export function amount1Of(a: bigint, b: bigint, liquidity: bigint, up: boolean): bigint {
  const numerator = liquidity * (a < b ? b - a : a - b)
  return up ? ceilDiv(numerator, q96) : numerator / q96
}

function priceAfterInput(price: bigint, liquidity: bigint, amount: bigint, zeroForOne: boolean): bigint {
  if (!zeroForOne) return price + (amount << 96n) / liquidity
  return ceilDiv((liquidity << 96n) * price, (liquidity << 96n) + amount * price)
}

function priceAfterOutput(price: bigint, liquidity: bigint, amount: bigint, zeroForOne: boolean): bigint {
  if (zeroForOne) return price - ceilDiv(amount << 96n, liquidity)
  return ceilDiv((liquidity << 96n) * price, (liquidity << 96n) - amount * price)
}

type Step = { readonly price: bigint; readonly input: bigint; readonly output: bigint; readonly fee: bigint }

/** Uniswap's SwapMath.computeSwapStep. @param left above 0 what may still come in, below 0 what must still come out */
function swapStep(price: bigint, target: bigint, liquidity: bigint, left: bigint, fee: bigint): Step {
  const zeroForOne = price >= target
  const inputTo = (to: bigint) => (zeroForOne ? amount0Of(to, price, liquidity, true) : amount1Of(price, to, liquidity, true))
  const outputTo = (to: bigint) => (zeroForOne ? amount1Of(to, price, liquidity, false) : amount0Of(price, to, liquidity, false))
  if (left >= 0n) {
    const lessFee = (left * (million - fee)) / million
    const reached = lessFee >= inputTo(target)
    const end = reached ? target : priceAfterInput(price, liquidity, lessFee, zeroForOne)
    const input = inputTo(end)
    return { price: end, input, output: outputTo(end), fee: end === target ? ceilDiv(input * fee, million - fee) : left - input }
  }
  const reached = -left >= outputTo(target)
  const end = reached ? target : priceAfterOutput(price, liquidity, -left, zeroForOne)
  const [input, output] = [inputTo(end), outputTo(end)]
  return { price: end, input, output: output > -left ? -left : output, fee: ceilDiv(input * fee, million - fee) }
}

/** The next tick with liquidity in the same word of 256 spacings, or the word's end. */
function nextTick({ ticks, tickSpacing }: ModelPool, tick: number, zeroForOne: boolean) {
  const from = Math.floor(tick / tickSpacing) + (zeroForOne ? 0 : 1)
  const end = zeroForOne ? Math.floor(from / 256) * 256 : Math.floor(from / 256) * 256 + 255
  const step = zeroForOne ? -1 : 1
  for (let at = from; zeroForOne ? at >= end : at <= end; at += step)
    if (ticks.has(at * tickSpacing)) return { next: at * tickSpacing, initialized: true }
  return { next: end * tickSpacing, initialized: false }
}

/**
 * Runs a swap as Uniswap's pool does, wei for wei.
 * @param amount above 0 what comes in, below 0 what has to come out
 * @param limit the price at which it ends
 */
export function swapPool(before: ModelPool, zeroForOne: boolean, amount: bigint, limit: bigint): ModelSwap {
  const fee = BigInt(before.fee)
  let { sqrtPriceX96: price, tick, liquidity } = before
  let growth = zeroForOne ? before.feeGrowth0X128 : before.feeGrowth1X128
  let [left, other] = [amount, 0n]
  while (left !== 0n && price !== limit) {
    const { next, initialized } = nextTick(before, tick, zeroForOne)
    const stop = Math.max(tickMin, Math.min(tickMax, next))
    const stopPrice = sqrtPriceX96AtTick(stop)
    const beyond = zeroForOne ? stopPrice < limit : stopPrice > limit
    const start = price
    const step = swapStep(price, beyond ? limit : stopPrice, liquidity, left, fee)
    price = step.price
    left += amount > 0n ? -(step.input + step.fee) : step.output
    other += amount > 0n ? -step.output : step.input + step.fee
    if (liquidity > 0n) growth = (growth + (step.fee * q128) / liquidity) % q256
    if (price === stopPrice) {
      const net = initialized ? (before.ticks.get(stop)?.net ?? 0n) : 0n
      liquidity += zeroForOne ? -net : net
      tick = zeroForOne ? stop - 1 : stop
    } else if (price !== start) tick = tickAtSqrtPrice(price)
  }
  const exactIn = amount > 0n
  const [amount0, amount1] = zeroForOne === exactIn ? [amount - left, other] : [other, amount - left]
  const grown = zeroForOne ? { feeGrowth0X128: growth } : { feeGrowth1X128: growth }
  return { pool: { ...own(before, amount0, amount1), ...grown, sqrtPriceX96: price, tick, liquidity }, amount0, amount1 }
}

/** Adds liquidity to a range of ticks, or takes it away (below 0). Amounts are positive: what has to be paid, or is freed. */
export function changeLiquidity(before: ModelPool, lower: number, upper: number, delta: bigint): ModelSwap {
  const ticks = new Map(before.ticks)
  for (const [at, net] of [
    [lower, delta],
    [upper, -delta],
  ] as const) {
    const known = ticks.get(at) ?? { gross: 0n, net: 0n }
    const gross = known.gross + delta
    if (gross === 0n) ticks.delete(at)
    else ticks.set(at, { gross, net: known.net + net })
  }
  const positions = new Map(before.positions)
  const key = `${lower}:${upper}`
  positions.set(key, (positions.get(key) ?? 0n) + delta)
  const [low, high] = [sqrtPriceX96AtTick(lower), sqrtPriceX96AtTick(upper)]
  const size = delta < 0n ? -delta : delta
  const up = delta > 0n
  const price = before.sqrtPriceX96
  const inside = before.tick >= lower && before.tick < upper
  const amount0 = before.tick < lower ? amount0Of(low, high, size, up) : inside ? amount0Of(price, high, size, up) : 0n
  const amount1 = before.tick >= upper ? amount1Of(low, high, size, up) : inside ? amount1Of(low, price, size, up) : 0n
  const liquidity = inside ? before.liquidity + delta : before.liquidity
  // What is freed stays in the pool until it is collected.
  return { pool: { ...(up ? own(before, amount0, amount1) : before), ticks, positions, liquidity }, amount0, amount1 }
}

/** Tokens come in, or go out (below 0). */
export function own(before: ModelPool, amount0: bigint, amount1: bigint): ModelPool {
  return { ...before, balance0: before.balance0 + amount0, balance1: before.balance1 + amount1 }
}

/** A fee paid by a flash loan. */
export function payFees(before: ModelPool, paid0: bigint, paid1: bigint): ModelPool {
  if (before.liquidity === 0n) return before
  return {
    ...own(before, paid0, paid1),
    feeGrowth0X128: (before.feeGrowth0X128 + (paid0 * q128) / before.liquidity) % q256,
    feeGrowth1X128: (before.feeGrowth1X128 + (paid1 * q128) / before.liquidity) % q256,
  }
}
