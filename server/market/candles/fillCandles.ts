import type { Sample } from '@chainboard/core'
import { type Candle, mergeCandles } from '../readChart.ts'

/**
 * One candle for each step: where nobody traded, from the price before to the price then, which other pools on the way to dollars may have
 * moved. Pure.
 * @param prices at the end of each step, ascending @param traded candles of the steps with a trade
 */
export function fillCandles(prices: readonly Sample<bigint>[], traded: readonly Candle[]): Candle[] {
  const byTime = new Map(traded.map((candle) => [candle.atSeconds, candle]))
  let last: bigint | undefined
  return prices.map(({ atSeconds, value }) => {
    const open = last ?? value
    last = value
    const [high, low] = open > value ? [open, value] : [value, open]
    return byTime.get(atSeconds) ?? { atSeconds, open, high, low, close: value, volumeUsdE18: 0n }
  })
}

/** Candles of steps as candles of so many seconds, which begin at whole multiples of them. Pure. */
export function groupCandles(candles: readonly Candle[], seconds: number): Candle[] {
  const groups = Map.groupBy(candles, ({ atSeconds }) => atSeconds - (atSeconds % seconds))
  return [...groups].map(([start, group]) => mergeCandles(group, start))
}
