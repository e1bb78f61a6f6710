import { absolute, hopPrice, hourSeconds, percentChange, startOfHour, timesFraction } from '@chainboard/core'
import type { DisplayPool, PoolHistory, PoolSwap } from './source.ts'
import { lastHours, usdByHour } from './usdHistory.ts'

/** A swap as seen from one token. Money is US dollars x 10^18; undefined when the other side had no price then. */
export type TokenSwap = {
  readonly swap: PoolSwap
  readonly pool: DisplayPool
  readonly type: 'buy' | 'sell'
  readonly tokenAmountRaw: bigint
  readonly usdE18: bigint | undefined
  readonly tokenUsdE18: bigint | undefined
  /** Percent that the swap moved the pool's price of the token; undefined for the first swap of the pool. */
  readonly priceImpactPercent: number | undefined
  /** Percent against the swap before it, in US dollars. */
  readonly changePercent: number | undefined
}

/** Hours back to which the other side of old swaps is valued; older swaps have no US dollars. */
const valuedHoursMax = 24 * 90

/** The newest swaps of the pool that a token is shown with, newest first. */
export async function readSwaps(history: PoolHistory, pool: DisplayPool, limit: number): Promise<TokenSwap[]> {
  // One more than asked for: the swap before the oldest shown.
  const swaps = await history.listNewestSwaps(pool.pool, limit + 1)
  const quoteUsd = await readQuoteUsd(history, pool, swaps)
  return swaps.slice(0, limit).map((swap, i) => toTokenSwap({ pool, quoteUsd }, swap, swaps[i + 1]))
}

type View = { readonly pool: DisplayPool; readonly quoteUsd: (swap: PoolSwap) => bigint | undefined }

function toTokenSwap(view: View, swap: PoolSwap, before: PoolSwap | undefined): TokenSwap {
  const { baseIsToken0, decimals0, decimals1 } = view.pool
  const [baseRaw, quoteRaw] = baseIsToken0 ? [swap.amount0, swap.amount1] : [swap.amount1, swap.amount0]
  const quoteUsdE18 = view.quoteUsd(swap)
  const tokenUsdE18 = priceInUsd(view, swap)
  const beforeUsdE18 = before && priceInUsd(view, before)
  return {
    swap,
    pool: view.pool,
    type: baseRaw < 0n ? 'buy' : 'sell',
    tokenAmountRaw: absolute(baseRaw),
    usdE18:
      quoteUsdE18 === undefined
        ? undefined
        : (absolute(quoteRaw) * quoteUsdE18) / 10n ** BigInt(baseIsToken0 ? decimals1 : decimals0),
    tokenUsdE18,
    priceImpactPercent: before && percentChange(priceInQuote(view, before), priceInQuote(view, swap)),
    changePercent: beforeUsdE18 === undefined || tokenUsdE18 === undefined ? undefined : percentChange(beforeUsdE18, tokenUsdE18),
  }
}

/** Fine enough for a ratio of two prices however small. */
const ratioScale = 10n ** 36n

function priceInQuote({ pool }: View, { sqrtPriceX96 }: PoolSwap): bigint {
  return timesFraction(ratioScale, hopPrice(pool, sqrtPriceX96))
}

function priceInUsd(view: View, swap: PoolSwap): bigint | undefined {
  const quoteUsdE18 = view.quoteUsd(swap)
  return quoteUsdE18 === undefined ? undefined : timesFraction(quoteUsdE18, hopPrice(view.pool, swap.sqrtPriceX96))
}

/** US dollars per quote token in the hour of each swap. */
async function readQuoteUsd(
  history: PoolHistory,
  { quoteRoute }: DisplayPool,
  swaps: readonly PoolSwap[],
): Promise<View['quoteUsd']> {
  const newest = swaps[0]
  const oldest = swaps.at(-1)
  if (!quoteRoute || !newest || !oldest) return () => undefined
  const span = (startOfHour(newest.timestampSeconds) - startOfHour(oldest.timestampSeconds)) / hourSeconds + 1
  const hours = lastHours(newest.timestampSeconds, Math.min(valuedHoursMax, span))
  const pools = quoteRoute.map(({ pool }) => pool)
  const samples = usdByHour(quoteRoute, hours, await history.listHoursCovering(pools, hours))
  const byHour = new Map(samples.map(({ atSeconds, value }) => [atSeconds, value]))
  return ({ timestampSeconds }) => byHour.get(startOfHour(timestampSeconds))
}
