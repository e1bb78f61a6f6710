import { absolute, hopPrice, hourSeconds, percentChange, startOfHour, timesFraction } from '@chainboard/core'
import type { DisplayPool, PoolHistory, PoolSwap } from './source.ts'
import { lastHours, usdByHour } from './usdHistory.ts'

/**
 * A swap as seen from one token. Money is US dollars x 10^18 at the moment of the swap, so it stays what it is; undefined when
 * nothing had a price then. The token's price follows from what the swap was worth: none for dust, which is worth too little.
 */
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

/** Hours back to which swaps are valued by hours; older ones have no US dollars. */
const valuedHoursMax = 24 * 90
/** Less than a billionth of a dollar has not digits enough to divide by. */
const pricedUsdE18Min = 10n ** 9n

/** The newest swaps of the pool that a token is shown with, newest first. */
export async function readSwaps(history: PoolHistory, pool: DisplayPool, limit: number): Promise<TokenSwap[]> {
  // One more than asked for: the swap before the oldest shown.
  const swaps = await history.listNewestSwaps(pool.pool, limit + 1)
  const quoteUsd = await readQuoteUsd(history, pool, swaps)
  return swaps.slice(0, limit).map((swap, i) => toTokenSwap({ pool, quoteUsd }, swap, swaps[i + 1]))
}

type View = { readonly pool: DisplayPool; readonly quoteUsd: QuoteUsd }

/** US dollars x 10^18 per whole quote token at the moment of a swap. */
type QuoteUsd = (swap: PoolSwap) => bigint | undefined

function toTokenSwap(view: View, swap: PoolSwap, before: PoolSwap | undefined): TokenSwap {
  const baseRaw = view.pool.baseIsToken0 ? swap.amount0 : swap.amount1
  const tokenUsdE18 = priceInUsd(view, swap)
  const beforeUsdE18 = before && priceInUsd(view, before)
  return {
    swap,
    pool: view.pool,
    type: baseRaw < 0n ? 'buy' : 'sell',
    tokenAmountRaw: absolute(baseRaw),
    usdE18: valueSwap(view, swap),
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

function valueSwap({ pool, quoteUsd }: View, swap: PoolSwap): bigint | undefined {
  if (swap.usdE18 !== undefined) return swap.usdE18 === 0n ? undefined : swap.usdE18
  const quoteUsdE18 = quoteUsd(swap)
  const { raw, one } = quoteOf(pool, swap)
  return quoteUsdE18 === undefined ? undefined : (raw * quoteUsdE18) / one
}

/** What a swap moved of the quote token: smallest units, and how many are a whole one. */
function quoteOf({ baseIsToken0, decimals0, decimals1 }: DisplayPool, swap: PoolSwap): { raw: bigint; one: bigint } {
  const raw = absolute(baseIsToken0 ? swap.amount1 : swap.amount0)
  return { raw, one: 10n ** BigInt(baseIsToken0 ? decimals1 : decimals0) }
}

async function readQuoteUsd(history: PoolHistory, pool: DisplayPool, swaps: readonly PoolSwap[]): Promise<QuoteUsd> {
  const byHour = await readQuoteUsdByHour(
    history,
    pool,
    swaps.filter(({ usdE18 }) => usdE18 === undefined),
  )
  return (swap) => {
    if (swap.usdE18 === undefined) return byHour(swap)
    const { raw, one } = quoteOf(pool, swap)
    return raw === 0n || swap.usdE18 < pricedUsdE18Min ? undefined : (swap.usdE18 * one) / raw
  }
}

/** For a history that does not say what swaps were worth: the price at the end of the hour before, which stands still. */
async function readQuoteUsdByHour(
  history: PoolHistory,
  { quoteRoute }: DisplayPool,
  swaps: readonly PoolSwap[],
): Promise<QuoteUsd> {
  const newest = swaps[0]
  const oldest = swaps.at(-1)
  if (!quoteRoute || !newest || !oldest) return () => undefined
  const span = (hourBefore(newest) - hourBefore(oldest)) / hourSeconds + 1
  const hours = lastHours(hourBefore(newest), Math.min(valuedHoursMax, span))
  const pools = quoteRoute.map(({ pool }) => pool)
  const samples = usdByHour(quoteRoute, hours, await history.listHoursCovering(pools, hours))
  const byHour = new Map(samples.map(({ atSeconds, value }) => [atSeconds, value]))
  return (swap) => byHour.get(hourBefore(swap))
}

function hourBefore({ timestampSeconds }: PoolSwap): number {
  return startOfHour(timestampSeconds) - hourSeconds
}
