import { amount0Between, amount1Between, divideUp } from './liquidityMath.ts'
import { sqrtPriceX96AtTick, tickMax, tickMin } from './tick.ts'
import { nextTickInWord, type TickList } from './tickList.ts'

/** A pool just before a swap. `fee` is in millionths; `feeProtocol` as in `slot0`: of token0 the low, of token1 the high 4 bits. */
export type PoolBefore = {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  readonly fee: number
  readonly tickSpacing: number
  readonly feeProtocol: number
}

/** What a Swap event states. Amounts in smallest units, positive into the pool. */
export type SwapFacts = {
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
}

/**
 * How a swap fits the pool before it.
 * `fits`: it does, and `growth` is what it added to `feeGrowthGlobal` of its input token (0 or 1), x 2^128.
 * `misfit`: this swap cannot follow on that state. `what` is `fee` when everything but the fee fits.
 */
export type Walk =
  | { readonly kind: 'fits'; readonly token: 0 | 1; readonly growth: bigint }
  | { readonly kind: 'misfit'; readonly what: 'direction' | 'amounts' | 'liquidity' | 'fee' }

const [priceMin, priceMax] = [sqrtPriceX96AtTick(tickMin), sqrtPriceX96AtTick(tickMax)]
const millionths = 1_000_000n
/** From one end of the prices to the other at spacing 1 there are 6,932 words. */
const stepsMax = 20_000

/**
 * Takes a swap's way again, step by step as `UniswapV3Pool.swap` does: from tick to tick and from word to word of the
 * bitmap, each step rounded on its own. The event does not state which side the trader named, so the rounding of the last
 * step leaves a few units of the price open; everything else is exact.
 *
 * The fee of the last step is what is left of the input. Where the price stops on a tick and some input is left, that is a
 * step of no length with the liquidity behind the tick.
 */
export function walkSwap(before: PoolBefore, ticks: TickList, swap: SwapFacts): Walk {
  const down = isDown(before, swap)
  if (down === undefined || swap.sqrtPriceX96 < priceMin || swap.sqrtPriceX96 >= priceMax)
    return { kind: 'misfit', what: 'direction' }
  const [input, output] = down ? [swap.amount0, -swap.amount1] : [swap.amount1, -swap.amount0]
  const path = walk(before, ticks, { down, final: swap.sqrtPriceX96 })
  if (!path) return { kind: 'misfit', what: 'liquidity' }
  const { last, liquidity } = path
  const unit = unitsAt(swap.sqrtPriceX96, last.liquidity, down)
  if (output > path.output || output < path.output - 2n * (unit.output + 2n)) return { kind: 'misfit', what: 'amounts' }
  if (liquidity !== swap.liquidity) return { kind: 'misfit', what: 'liquidity' }
  const lastFee = input - path.input
  const open = (2n * (unit.input + 2n) * millionths) / (millionths - BigInt(before.fee)) + 4n
  if (lastFee < last.feeMin || lastFee > last.feeMin + open) return { kind: 'misfit', what: 'fee' }
  const cut = down ? before.feeProtocol % 16 : before.feeProtocol >> 4
  const fees = [...path.fees, { fee: lastFee, liquidity: last.liquidity }]
  const growth = fees.reduce((sum, each) => sum + growthOf(each.fee, cut, each.liquidity), 0n)
  return { kind: 'fits', token: down ? 0 : 1, growth }
}

/** What a fee adds to `feeGrowthGlobal`, x 2^128, after the protocol's share of one in `cut` (0: none). */
export function growthOf(fee: bigint, cut: number, liquidity: bigint): bigint {
  if (liquidity <= 0n) return 0n
  const rest = cut > 0 ? fee - fee / BigInt(cut) : fee
  return (rest << 128n) / liquidity
}

/** Whether the price falls, which is when token0 comes in; undefined when amounts and price contradict each other. */
function isDown({ sqrtPriceX96 }: PoolBefore, { amount0, amount1, sqrtPriceX96: final }: SwapFacts): boolean | undefined {
  if (amount0 > 0n) return amount1 <= 0n && final <= sqrtPriceX96 ? true : undefined
  if (amount1 > 0n) return amount0 <= 0n && final >= sqrtPriceX96 ? false : undefined
  // Without liquidity on the way nothing is paid and nothing is got.
  return amount0 === 0n && amount1 === 0n ? final < sqrtPriceX96 : undefined
}

type Path = {
  /** Inputs and fees of all steps but the last one's fee. */
  readonly input: bigint
  readonly output: bigint
  readonly fees: readonly { readonly fee: bigint; readonly liquidity: bigint }[]
  /** The step whose fee is what is left: what it is at least, and the liquidity that it goes to. */
  readonly last: { readonly feeMin: bigint; readonly liquidity: bigint }
  /** In force at the end. */
  readonly liquidity: bigint
}

/** Undefined when the ticks on the way cannot be right: liquidity below nothing, or no end. */
function walk(before: PoolBefore, ticks: TickList, { down, final }: { down: boolean; final: bigint }): Path | undefined {
  const fee = BigInt(before.fee)
  const fees: { fee: bigint; liquidity: bigint }[] = []
  let { sqrtPriceX96: price, tick, liquidity } = before
  let [input, output] = [0n, 0n]
  for (let step = 0; step < stepsMax; step += 1) {
    const next = nextTickInWord(ticks, tick, { spacing: before.tickSpacing, down })
    const nextPrice = sqrtPriceX96AtTick(next)
    const isReached = down ? final <= nextPrice : final >= nextPrice
    const end = isReached ? nextPrice : final
    const taken = down ? amount0Between(end, price, liquidity, 'up') : amount1Between(price, end, liquidity, 'up')
    output += down ? amount1Between(end, price, liquidity, 'down') : amount0Between(price, end, liquidity, 'down')
    const feeMin = divideUp(taken * fee, millionths - fee)
    input += taken
    if (!isReached) return { input, output, fees, last: { feeMin, liquidity }, liquidity }
    input += feeMin
    fees.push({ fee: feeMin, liquidity })
    const net = ticks.byTick.get(next)?.net ?? 0n
    liquidity += down ? -net : net
    if (liquidity < 0n) return undefined
    tick = down ? next - 1 : next
    price = end
    if (price === final) return { input, output, fees, last: { feeMin: 0n, liquidity }, liquidity }
  }
  return undefined
}

/** What one unit of the price is worth in each token, rounded up. */
function unitsAt(price: bigint, liquidity: bigint, down: boolean): { input: bigint; output: bigint } {
  const of0 = divideUp(liquidity << 96n, price * price)
  const of1 = divideUp(liquidity, 1n << 96n)
  return down ? { input: of0, output: of1 } : { input: of1, output: of0 }
}
