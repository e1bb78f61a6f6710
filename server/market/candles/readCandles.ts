import {
  type CandleInterval,
  candleIntervals,
  daySeconds,
  hourSeconds,
  type Sample,
  startOfCandlePage,
  startOfHour,
} from '@chainboard/core'
import { findKeptSince } from '../../store/keptSince.ts'
import { findCursor } from '../../store/syncCursor.ts'
import type { TokenMarket } from '../tokenMarket.ts'
import type { CandlePage, CandleReader, CandleRequest, Steps } from './candlePage.ts'
import { readHourSteps } from './hourSteps.ts'
import { readSwapSteps } from './swapSteps.ts'

const none = (reason: string): CandlePage => ({
  ...{ candles: [], nextBefore: undefined, sinceSeconds: undefined, dayAgo: undefined, reason },
})

/**
 * A page of a token's candles. Hours and longer are made of the hours of its pools; minutes of single swaps, which the server's own index
 * alone has, from when on it keeps them.
 */
export async function readCandles(
  reader: CandleReader,
  market: TokenMarket,
  { interval, before }: CandleRequest,
): Promise<CandlePage> {
  const { atBlock } = reader.snapshot
  if (!market.displayPool && !market.quote) return none('No pool address provided')
  if (!market.quote || !atBlock) return none('No current price data available')
  if (market.quote.route.length === 0 && market.quote.source !== 'index')
    return none('The price comes from a source that has no candles')
  const { seconds } = candleIntervals[interval]
  const nowSeconds = atBlock.timestampSeconds
  const end = nowSeconds - (nowSeconds % seconds) + seconds
  const toSeconds = before === undefined ? end : Math.min(end, before - (before % seconds))
  const isFine = seconds < hourSeconds
  const kept = await findSince(reader, isFine, nowSeconds)
  if (kept === 'no index') return none('Minutes are made of single swaps, which this server does not index')
  const sinceSeconds = kept && Math.ceil(kept / seconds) * seconds
  const page = { sinceSeconds, dayAgo: toDayAgo(market, nowSeconds), nextBefore: undefined, reason: undefined }
  const fromSeconds = Math.max(findStart(interval, toSeconds, end), sinceSeconds ?? 0)
  if (fromSeconds >= toSeconds) return { ...page, candles: [] }
  const span = { interval, fromSeconds, toSeconds, nowSeconds }
  const steps = isFine ? await readSwapSteps(reader, market.quote, span) : await readHourSteps(reader, market.quote, span)
  if (steps.fromSeconds >= toSeconds) return { ...page, candles: [], reason: 'Too many swaps for candles this short' }
  return { ...page, candles: steps.candles, nextBefore: findNext(steps, { seconds, sinceSeconds: sinceSeconds ?? 0 }) }
}

/** The newest page has the one before it in it, so that it is never short. */
function findStart(interval: CandleInterval, toSeconds: number, end: number): number {
  const start = startOfCandlePage(interval, toSeconds)
  return Math.max(0, toSeconds < end ? start : startOfCandlePage(interval, start))
}

/** A long time without trades is passed over in one step. */
function findNext(
  { fromSeconds, hasTrades, tradedBefore }: Steps,
  { seconds, sinceSeconds }: { readonly seconds: number; readonly sinceSeconds: number },
): number | undefined {
  if (tradedBefore === undefined || fromSeconds <= sinceSeconds) return undefined
  const afterTrade = tradedBefore - (tradedBefore % seconds) + seconds
  if (afterTrade <= sinceSeconds) return undefined
  return hasTrades ? fromSeconds : Math.min(fromSeconds, afterTrade)
}

/** From when on swaps, or hours, are kept; the hour or day that this cuts is left out. */
async function findSince(
  { index, isNewestOnly }: CandleReader,
  isFine: boolean,
  nowSeconds: number,
): Promise<number | undefined | 'no index'> {
  const known = await index.use(({ store, sinceSeconds }) =>
    store.readConsistently(async (tx) => {
      const { swaps, hours } = await findKeptSince(tx)
      return { cursor: await findCursor(tx), bounds: [isFine ? swaps : hours, sinceSeconds] }
    }),
  )
  if (isFine && !known.cursor?.block) return 'no index'
  const bounds = [...known.bounds, isNewestOnly ? startOfHour(nowSeconds) + hourSeconds - daySeconds : undefined]
  return bounds.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined)
}

function toDayAgo({ quote }: TokenMarket, nowSeconds: number): Sample<bigint> | undefined {
  const value = quote?.dayAgoUsdE18
  return value === undefined ? undefined : { atSeconds: (quote?.observedAtSeconds ?? nowSeconds) - daySeconds, value }
}
