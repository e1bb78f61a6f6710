import { type Address, candleIntervals, type Sample, timesFraction, usdAlong } from '@chainboard/core'
import type { IndexReader } from '../../store/indexSwitch.ts'
import { findPriceAt, medianAfter } from '../../store/pastMedians.ts'
import { findLastMoveBefore, listPoolMoves, type PoolMove } from '../../store/poolMoves.ts'
import type { Tx } from '../../store/store.ts'
import { toCandles } from '../readChart.ts'
import type { PoolHour, Quote } from '../source.ts'
import { usdByHour } from '../usdHistory.ts'
import { type Prices, type StepSpan, type Steps, swapsMax, type TraderCandle } from './candlePage.ts'
import { fillCandles } from './fillCandles.ts'

type Deps = { readonly index: IndexReader; readonly windowSeconds: number; readonly swapsAtMost?: number }

/** What a pool was before a page, and its swaps since, by time. */
type Past = { readonly pool: Address; readonly before: bigint | undefined; readonly moves: readonly PoolMove[] }

/** Fair prices of a candle are looked at so often, and at its ends. */
const looksPerCandle = 5
const lookSecondsMin = 60
/** Of so many fair prices the event loop waits: those of a page of 20,000 swaps take 65 ms, several times that on a busy machine. */
const candlesPerTurn = 8

/** Candles shorter than an hour, from single swaps. */
export function readSwapSteps(
  { index, windowSeconds, swapsAtMost = swapsMax }: Deps,
  quote: Quote,
  span: StepSpan,
): Promise<Steps> {
  const { seconds } = candleIntervals[span.interval]
  const { route } = quote
  return index.use(({ store }) =>
    store.readConsistently(async (tx) => {
      const asked = { ...span, windowSeconds, swapsAtMost, seconds }
      const pasts: Past[] = []
      let { fromSeconds } = span
      for (const pool of new Set(route.map((hop) => hop.pool))) {
        const { past, knownFrom } = await readPast(tx, pool, asked)
        pasts.push(past)
        fromSeconds = Math.max(fromSeconds, knownFrom)
        await new Promise((turn) => setImmediate(turn))
      }
      const starts = listStarts(fromSeconds, span.toSeconds, seconds)
      const poolSteps = new Map(pasts.map((past) => [past.pool, toSteps(past, fromSeconds, seconds)]))
      const scale = await readScale(tx, quote, span.nowSeconds)
      const prices = usdByHour(route, starts, poolSteps).map(({ atSeconds, value }) => ({
        atSeconds,
        value: scale ? timesFraction(value, scale) : value,
      }))
      const traded = toCandles(quote, prices, { hours: starts, hoursPerPoint: 1, poolHours: poolSteps }).filter(
        ({ atSeconds }) => atSeconds >= fromSeconds,
      )
      const fairAt = quote.source === 'index' ? openFair(quote, pasts, { windowSeconds, nowSeconds: span.nowSeconds }) : undefined
      const own = route[0]?.pool
      const candles: TraderCandle[] = []
      for (const candle of fillCandles(prices, traded)) {
        const fair = fairAt && toFair(fairAt, candle.atSeconds, { seconds, nowSeconds: span.nowSeconds })
        candles.push({ ...candle, fair })
        if (candles.length % candlesPerTurn === 0) await new Promise((turn) => setImmediate(turn))
      }
      return {
        candles,
        fromSeconds,
        hasTrades: traded.length > 0,
        tradedBefore: own && (await findLastMoveBefore(tx, own, fromSeconds)),
      }
    }),
  )
}

type PageSpan = StepSpan & { readonly windowSeconds: number; readonly swapsAtMost: number; readonly seconds: number }

/** `knownFrom`: the first step of which all swaps were read. */
async function readPast(tx: Tx, pool: Address, { fromSeconds, toSeconds, windowSeconds, swapsAtMost, seconds }: PageSpan) {
  const first = fromSeconds - windowSeconds
  const newest = await listPoolMoves(tx, { pool, fromSeconds: first, toSeconds }, swapsAtMost + 1)
  const isCut = newest.length > swapsAtMost
  const oldest = newest.at(-1)?.atSeconds ?? first
  const moves = newest.reverse().filter(({ atSeconds }) => !isCut || atSeconds > oldest)
  const before = await findPriceAt(tx, pool, isCut ? oldest : first - 1)
  // The fair price at the first step's beginning needs the window before it.
  const knownFrom = isCut ? Math.ceil((oldest + 1 + windowSeconds) / seconds) * seconds : fromSeconds
  return { past: { pool, before, moves }, knownFrom }
}

/** Swaps are traded prices. Those of another source's token are scaled so that the newest is its price. */
async function readScale(tx: Tx, { route, source, usdE18, lastUsdE18 }: Quote, nowSeconds: number) {
  if (source === 'index') return undefined
  const prices = new Map<Address, bigint | undefined>()
  for (const { pool } of route) prices.set(pool, await findPriceAt(tx, pool, nowSeconds))
  const newest = usdAlong(route, (pool) => prices.get(pool))
  return newest ? { numerator: lastUsdE18 ?? usdE18, denominator: newest } : undefined
}

function listStarts(fromSeconds: number, toSeconds: number, seconds: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((toSeconds - fromSeconds) / seconds)) }, (_, i) => fromSeconds + i * seconds)
}

/** Steps in which a pool traded, as hours are told, after one that says what its price was before. Pure. */
function toSteps({ pool, before, moves }: Past, fromSeconds: number, seconds: number): PoolHour[] {
  const earlier = moves.findLast(({ atSeconds }) => atSeconds < fromSeconds)?.sqrtPriceX96 ?? before
  const still = (price: bigint) => ({ sqrtPriceX96: price, open: price, high: price, low: price })
  const standing =
    earlier === undefined
      ? []
      : [
          {
            ...{ pool, startSeconds: fromSeconds - seconds, ...still(earlier) },
            ...{ volume0: 0n, volume1: 0n, volumeUsdE18: 0n, swapCount: 0 },
          },
        ]
  const inside = moves.filter(({ atSeconds }) => atSeconds >= fromSeconds)
  const steps = [...Map.groupBy(inside, ({ atSeconds }) => atSeconds - (atSeconds % seconds))].map(([startSeconds, own]) =>
    own.reduce<PoolHour & { readonly volumeUsdE18: bigint }>(
      (all, move) => ({
        ...{ pool, startSeconds, open: all.swapCount === 0 ? move.sqrtPriceX96 : all.open, sqrtPriceX96: move.sqrtPriceX96 },
        high: all.swapCount === 0 || move.sqrtPriceX96 > all.high ? move.sqrtPriceX96 : all.high,
        low: all.swapCount === 0 || move.sqrtPriceX96 < all.low ? move.sqrtPriceX96 : all.low,
        volume0: all.volume0 + move.volume0,
        volume1: all.volume1 + move.volume1,
        volumeUsdE18: all.volumeUsdE18 + move.usdE18,
        swapCount: all.swapCount + 1,
      }),
      { pool, startSeconds, ...still(0n), volume0: 0n, volume1: 0n, volumeUsdE18: 0n, swapCount: 0 },
    ),
  )
  return [...standing, ...steps]
}

type Window = { readonly windowSeconds: number; readonly nowSeconds: number }

/** The fair price at moments that come in ascending order: along the medians of the window before; now, the token's price itself. */
function openFair({ route, usdE18 }: Quote, pasts: readonly Past[], { windowSeconds, nowSeconds }: Window) {
  const known = new Map<number, bigint | undefined>()
  const lanes = pasts.map(({ before, moves: changes }) => {
    let [first, last] = [0, 0]
    return (atSeconds: number): bigint | undefined => {
      while ((changes[first]?.atSeconds ?? Infinity) <= atSeconds - windowSeconds) first += 1
      while ((changes[last]?.atSeconds ?? Infinity) <= atSeconds) last += 1
      const price = changes[first - 1]?.sqrtPriceX96 ?? before
      return medianAfter(price, changes.slice(first, last), { nowSeconds: atSeconds, windowSeconds })
    }
  })
  return (atSeconds: number): bigint | undefined => {
    if (atSeconds === nowSeconds) return usdE18
    if (!known.has(atSeconds)) {
      const medians = new Map(pasts.map(({ pool }, i) => [pool, lanes[i]?.(atSeconds)]))
      known.set(
        atSeconds,
        usdAlong(route, (pool) => medians.get(pool)),
      )
    }
    return known.get(atSeconds)
  }
}

function toFair(
  fairAt: (atSeconds: number) => bigint | undefined,
  startSeconds: number,
  { seconds, nowSeconds }: { readonly seconds: number; readonly nowSeconds: number },
): Prices | undefined {
  const end = Math.min(startSeconds + seconds, nowSeconds)
  const every = Math.max(lookSecondsMin, seconds / looksPerCandle)
  const looks: Sample<bigint>[] = []
  for (let at = startSeconds; at <= end; at = at < end ? Math.min(at + every, end) : end + 1) {
    const value = fairAt(at)
    if (value !== undefined) looks.push({ atSeconds: at, value })
  }
  const [first, last] = [looks[0], looks.at(-1)]
  if (!first || !last) return undefined
  const values = looks.map(({ value }) => value)
  const high = values.reduce((a, b) => (b > a ? b : a))
  const low = values.reduce((a, b) => (b < a ? b : a))
  return { open: first.value, high, low, close: last.value }
}
