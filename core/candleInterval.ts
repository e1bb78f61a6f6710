import { daySeconds, hourSeconds } from './periods.ts'

/**
 * How long each candle of a trader's chart lasts, and how many of them are read together: pages begin at whole multiples of that many
 * candles since 1970, so that all visitors ask for the same ones.
 */
export const candleIntervals = {
  '1m': { seconds: 60, perPage: 240 },
  '5m': { seconds: 300, perPage: 144 },
  '15m': { seconds: 900, perPage: 96 },
  '1h': { seconds: hourSeconds, perPage: 168 },
  '4h': { seconds: 4 * hourSeconds, perPage: 90 },
  '1d': { seconds: daySeconds, perPage: 60 },
} as const

export type CandleInterval = keyof typeof candleIntervals

/** Start of the page, in unix seconds, that holds the last candle before a moment. */
export function startOfCandlePage(interval: CandleInterval, beforeSeconds: number): number {
  const { seconds, perPage } = candleIntervals[interval]
  const last = beforeSeconds - 1
  return last - (last % (seconds * perPage))
}
