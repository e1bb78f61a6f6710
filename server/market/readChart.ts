import { averageGroups, type ChartRange, chartRanges, hourSeconds, type Sample, timesFraction } from '@chainboard/core'
import { toHourDollars } from './figures/hourFigures.ts'
import type { HopEvidence, PoolHistory, PoolHour, Quote } from './source.ts'
import type { Snapshot } from './takeSnapshot.ts'
import type { TokenMarket } from './tokenMarket.ts'
import { lastHours, usdByHour } from './usdHistory.ts'

/**
 * US dollars x 10^18 per whole token; `volumeUsdE18` of the pool that prices the token, valued as `volume24h` is: each swap at the
 * prices of its moment, or where the history does not tell them, the pool's other token at its price at the end of the hour.
 */
export type Candle = {
  readonly atSeconds: number
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
  readonly volumeUsdE18: bigint
}

/** `reason` says why there are no points. */
export type Chart = {
  readonly points: readonly Sample<bigint>[]
  readonly candles: readonly Candle[]
  readonly reason: string | undefined
}

const noChart = (reason: string): Chart => ({ points: [], candles: [], reason })

/**
 * A token's price over a range that ends with the snapshot's block: one point an hour, for a month one a day. The hours are those
 * of the pools, scaled where the price comes from elsewhere so that the newest is that price, and averaged after that; the newest
 * point of all is the token's price.
 */
export async function readChart(
  history: PoolHistory,
  { atBlock }: Snapshot,
  market: TokenMarket,
  range: ChartRange,
): Promise<Chart> {
  if (!market.displayPool && !market.quote) return noChart('No pool address provided')
  if (!market.quote || !atBlock) return noChart('No current price data available')
  const { hours: hourCount, hoursPerPoint } = chartRanges[range]
  const { route, usdE18, lastUsdE18 } = market.quote
  const hours = lastHours(atBlock.timestampSeconds, hourCount)
  const poolHours = await history.listHoursCovering(
    route.map(({ pool }) => pool),
    hours,
  )
  const prices = usdByHour(route, hours, poolHours)
  const newest = prices.at(-1)
  if (!newest) return noChart('No historical data available')
  // Hours are traded prices. Those of another source's token are scaled to its price.
  const scale = { numerator: lastUsdE18 ?? usdE18, denominator: newest.value }
  const scaled = prices.map(({ atSeconds, value }) => ({ atSeconds, value: timesFraction(value, scale) }))
  const averaged = averageGroups(scaled, hoursPerPoint)
  const points = [...averaged.slice(0, -1), { ...(averaged.at(-1) ?? newest), value: usdE18 }]
  return { points, candles: toCandles(market.quote, scaled, { hours, hoursPerPoint, poolHours }), reason: undefined }
}

type CandleWindow = {
  readonly hours: readonly number[]
  readonly hoursPerPoint: number
  readonly poolHours: ReadonlyMap<HopEvidence['pool'], readonly PoolHour[]>
}

/** Candles of the token's own pool, each hour in US dollars by the pool's close and the price of that hour. */
export function toCandles(
  { route }: Quote,
  prices: readonly Sample<bigint>[],
  { hours, hoursPerPoint, poolHours }: CandleWindow,
): Candle[] {
  const hop = route[0]
  const first = hours[0]
  if (!hop || first === undefined) return []
  const usdAt = new Map(prices.map(({ atSeconds, value }) => [atSeconds, value]))
  const own = poolHours.get(hop.pool) ?? []
  // Our own index knows the dollars of every hour.
  const quoteUsd = own.every(({ volumeUsdE18 }) => volumeUsdE18 !== undefined) ? [] : usdByHour(route.slice(1), hours, poolHours)
  const quoteUsdAt = new Map(quoteUsd.map(({ atSeconds, value }) => [atSeconds, value]))
  const hourly = own.flatMap((hour) => {
    const usdE18 = usdAt.get(hour.startSeconds)
    if (hour.swapCount === 0 || usdE18 === undefined) return []
    const volumeUsdE18 = hour.volumeUsdE18 ?? valueQuote(hop, hour, quoteUsdAt.get(hour.startSeconds) ?? 0n)
    return [{ ...toCandle(hop, hour, usdE18), volumeUsdE18 }]
  })
  if (hoursPerPoint === 1) return hourly
  const group = ({ atSeconds }: Candle) => Math.floor((atSeconds - first) / (hoursPerPoint * hourSeconds))
  return [...Map.groupBy(hourly, group)].map(([index, candles]) =>
    mergeCandles(candles, first + index * hoursPerPoint * hourSeconds),
  )
}

/** The side of the pool that is nearer to US dollars, which `valueVolumes` takes, too. */
function valueQuote(hop: HopEvidence, hour: PoolHour, quoteUsdE18: bigint): bigint {
  const [raw, decimals] = hop.baseIsToken0 ? [hour.volume1, hop.decimals1] : [hour.volume0, hop.decimals0]
  return (raw * quoteUsdE18) / 10n ** BigInt(decimals)
}

function toCandle(hop: HopEvidence, hour: PoolHour, closeUsdE18: bigint): Omit<Candle, 'volumeUsdE18'> {
  return { atSeconds: hour.startSeconds, ...toHourDollars(hop, { ...hour, close: hour.sqrtPriceX96 }, closeUsdE18) }
}

/** @param candles one at least */
export function mergeCandles(candles: readonly Candle[], atSeconds: number): Candle {
  const merged = candles.reduce((all, candle) => ({
    atSeconds,
    open: all.open,
    high: candle.high > all.high ? candle.high : all.high,
    low: candle.low < all.low ? candle.low : all.low,
    close: candle.close,
    volumeUsdE18: all.volumeUsdE18 + candle.volumeUsdE18,
  }))
  return { ...merged, atSeconds }
}
