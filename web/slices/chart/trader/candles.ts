import type { WireCandles, WireTraderCandle } from '@chainboard/contract'

/** What is known of a token's candles of one interval. */
export type Candles = Omit<WireCandles, 'candles'> & {
  /** Ascending. */
  readonly candles: readonly WireTraderCandle[]
  /** No more fit: what is older needs a longer interval. */
  readonly isFull: boolean
}

/** Candles of one interval in memory. */
export const candlesMax = 5_000
/** The longest page that the server gives. */
const pageMax = 480

/** The newest page again: it replaces what it overlaps. What it does not reach any more, as after a long sleep, is let go. Pure. */
export function addNewer(known: Candles | undefined, page: WireCandles): Candles {
  const first = page.candles[0]?.time
  const reaches = first !== undefined && (known?.candles.at(-1)?.time ?? 0) >= first
  const kept = known && reaches ? known.candles.filter(({ time }) => time < first) : []
  const candles = [...kept, ...page.candles]
  const nextBefore = known && kept.length > 0 ? known.nextBefore : page.nextBefore
  if (candles.length <= candlesMax) return { ...page, candles, nextBefore, isFull: isFull(candles) }
  const newest = candles.slice(-candlesMax)
  return { ...page, candles: newest, nextBefore: newest[0]?.time ?? null, isFull: true }
}

/** A page before what is known. Pure. */
export function addOlder(known: Candles, page: WireCandles): Candles {
  const first = known.candles[0]?.time ?? Infinity
  const candles = [...page.candles.filter(({ time }) => time < first), ...known.candles]
  return { ...known, candles, nextBefore: page.nextBefore, isFull: isFull(candles) }
}

const isFull = ({ length }: readonly unknown[]) => length > candlesMax - pageMax

/** Which price candles show: of the last trade, or the fair one. */
export type PriceKind = 'last' | 'fair'

/** One candle as it is drawn. */
export type Bar = Pick<WireTraderCandle, 'time' | 'open' | 'high' | 'low' | 'close' | 'volumeUsd'>

export const noBars: readonly Bar[] = []

/** Candles of one price; those without a fair one are left out. Pure. */
export function toBars(candles: readonly WireTraderCandle[], kind: PriceKind): readonly Bar[] {
  if (kind === 'last') return candles
  return candles.flatMap(({ time, volumeUsd, fair }) => (fair ? [{ time, volumeUsd, ...fair }] : []))
}

/** Bars that a new chart shows, and px for each. */
const inSight = { max: 120, min: 24, px: 6 } as const

/** How many bars a new chart has room for: few of them fill its width. Pure. @param count of those that are known */
export function countInSight(count: number, widthPx: number): number {
  return Math.min(inSight.max, widthPx / inSight.px, Math.max(inSight.min, count))
}

/** The newest bar with the price of now in it; undefined when there is nothing to change. Pure. */
export function followBar(bars: readonly Bar[], price: number | null): Bar | undefined {
  const last = bars.at(-1)
  if (!last || !price || last.close === price) return undefined
  return { ...last, close: price, high: Math.max(last.high, price), low: Math.min(last.low, price) }
}

/** Rows of a file: times in UTC, US dollars. Pure. */
export function toCandleRows(candles: readonly WireTraderCandle[]): readonly (readonly string[])[] {
  const head = ['time', 'open', 'high', 'low', 'close', 'volume_usd', 'fair_open', 'fair_high', 'fair_low', 'fair_close']
  const rows = candles.map(({ time, open, high, low, close, volumeUsd, fair }) => [
    new Date(time * 1000).toISOString(),
    ...[open, high, low, close, volumeUsd].map(String),
    ...(fair ? [fair.open, fair.high, fair.low, fair.close].map(String) : ['', '', '', '']),
  ])
  return [head, ...rows]
}
