import { candleIntervals, hourSeconds, startOfHour, timesFraction } from '@chainboard/core'
import { toCandles } from '../readChart.ts'
import type { PoolHistory, Quote } from '../source.ts'
import { lastHours, usdByHour } from '../usdHistory.ts'
import type { StepSpan, Steps } from './candlePage.ts'
import { fillCandles, groupCandles } from './fillCandles.ts'

/** Candles of hours and longer, from the hours of the pools along the way to dollars. Their fair prices are not kept. */
export async function readHourSteps(
  { history }: { readonly history: PoolHistory },
  quote: Quote,
  { interval, fromSeconds, toSeconds, nowSeconds }: StepSpan,
): Promise<Steps> {
  const { route } = quote
  const pools = route.map(({ pool }) => pool)
  const until = Math.min(toSeconds, startOfHour(nowSeconds) + hourSeconds)
  const hours = lastHours(until - 1, Math.ceil((until - fromSeconds) / hourSeconds))
  const poolHours = await history.listHoursCovering(pools, hours)
  const scale = await readScale(history, quote, nowSeconds)
  const prices = usdByHour(route, hours, poolHours).map(({ atSeconds, value }) => ({
    atSeconds,
    value: scale ? timesFraction(value, scale) : value,
  }))
  const traded = toCandles(quote, prices, { hours, hoursPerPoint: 1, poolHours })
  const own = route[0] && poolHours.get(route[0].pool)
  const candles = groupCandles(fillCandles(prices, traded), candleIntervals[interval].seconds)
  return {
    candles: candles.map((candle) => ({ ...candle, fair: undefined })),
    fromSeconds,
    hasTrades: traded.length > 0,
    tradedBefore: own?.findLast(({ startSeconds }) => startSeconds < fromSeconds)?.startSeconds,
  }
}

/** Hours are traded prices. Those of another source's token are scaled so that the newest is its price. */
async function readScale(history: PoolHistory, { route, source, usdE18, lastUsdE18 }: Quote, nowSeconds: number) {
  if (source === 'index') return undefined
  const hours = lastHours(nowSeconds, 1)
  const poolHours = await history.listHoursCovering(
    route.map(({ pool }) => pool),
    hours,
  )
  const newest = usdByHour(route, hours, poolHours).at(-1)?.value
  return newest ? { numerator: lastUsdE18 ?? usdE18, denominator: newest } : undefined
}
