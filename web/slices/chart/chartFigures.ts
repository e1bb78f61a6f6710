import type { WireCandle, WireChartPoint, WireToken } from '@chainboard/contract'
import { type ChartRange, chartRanges, formatUsdPrice, priceDecimals } from '@chainboard/core'
import { formatPointTime, formatTick } from './chartTicks.ts'
import { rangeNames } from './rangeNames.ts'
import type { Chart } from './useChart.ts'

/** What is said of a token's price over a range. */
export type RangeChange = {
  /** `undefined` or `null` without a price to start from. */
  readonly percent: number | null | undefined
  /** The point it is measured from; without one it is the server's own figure. */
  readonly from?: WireChartPoint
}

/**
 * The change of the price over a range: of a day and of a week the server's, which the token lists show as well; of another range, and
 * of a token that is younger than the week, from the chart's first point to the price now. The first point of a day or a week lies in the
 * hour after the price that the server compares with.
 */
export function toRangeChange(
  { range, points }: Chart,
  { priceInUsd, priceChange24h, priceChange7d }: Pick<WireToken, 'priceInUsd' | 'priceChange24h' | 'priceChange7d'>,
): RangeChange {
  if (range === '1d') return { percent: priceChange24h }
  if (range === '1w' && priceChange7d !== null) return { percent: priceChange7d }
  const from = points[0]
  if (!from || from.price === 0) return { percent: undefined }
  return { percent: ((priceInUsd - from.price) / from.price) * 100, from }
}

/** `Past 24 hours`, `Past 3 days, from $0.7431 on Nov 19, 14:00`, `Past month, from a day's average of $0.7431 on Nov 1`. */
export function describeSpan(range: ChartRange, from: WireChartPoint | undefined): string {
  const name = rangeNames[range]
  if (!from) return name
  const price = formatUsdPrice(from.price)
  const isAverage = chartRanges[range].hoursPerPoint > 1
  return isAverage
    ? `${name}, from a day's average of ${price} on ${formatTick(range, from.time)}`
    : `${name}, from ${price} on ${formatPointTime(from.time)}`
}

/**
 * The points with the last one at the price of now, so that line and figure agree between two readings of the chart.
 * A month's points are averages of a day, and stay.
 */
export function followPrice(chart: Chart, currentPrice: number | undefined): Chart {
  const last = chart.points.at(-1)
  if (!last || currentPrice === undefined || last.price === currentPrice || chartRanges[chart.range].hoursPerPoint > 1)
    return chart
  return { ...chart, points: [...chart.points.slice(0, -1), { time: last.time, price: currentPrice }] }
}

const labelsOnAxis = 6
const decimalsMax = 12
/** Keeps a step of exactly 0.0001 from asking for a fifth decimal. */
const tiny = 1e-6

/** Decimals that keep the labels of a price axis apart: those of its prices, or more when the prices lie close together. */
export function axisDecimals(low: number, high: number): number {
  const step = (high - low) / labelsOnAxis
  const needed = step > 0 ? Math.ceil(-Math.log10(step) - tiny) : 0
  return Math.min(decimalsMax, Math.max(priceDecimals(high), needed))
}

/** A candle, or an hour in which nobody traded. */
export type CandleSlot = WireCandle | { readonly time: number }

/** Puts back the steps without a trade, so that the same distance on the axis is the same time everywhere. */
export function fillCandleGaps(candles: readonly WireCandle[]): CandleSlot[] {
  const steps = candles.slice(1).map((candle, index) => candle.time - (candles[index]?.time ?? 0))
  const step = Math.min(...steps.filter((gap) => gap > 0))
  if (!Number.isFinite(step)) return [...candles]
  return candles.flatMap((candle, index) => {
    const next = candles[index + 1]
    const missing = next ? Math.round((next.time - candle.time) / step) - 1 : 0
    return [candle, ...Array.from({ length: missing }, (_, gap) => ({ time: candle.time + step * (gap + 1) }))]
  })
}
