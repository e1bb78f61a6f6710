import { chartRanges, priceDecimals, type WireCandle, type WireChartPoint } from '@chainboard/core'
import type { Chart } from './useChart.ts'

/** Percent from the first point to `currentPrice`; `undefined` without a price to start from. */
export function toRangeChange(points: readonly WireChartPoint[], currentPrice: number): number | undefined {
  const first = points[0]?.price
  return first ? ((currentPrice - first) / first) * 100 : undefined
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
