import { type ChartRange, candleIntervals, Failure, type Sample, startOfHour } from '@chainboard/core'
import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import type { BlockRef } from '../store/syncCursor.ts'
import type { CandlePage, CandleRequest } from './candles/candlePage.ts'
import type { PoolBoard } from './poolBoard.ts'
import type { Chart } from './readChart.ts'
import type { TokenSwap } from './readSwaps.ts'
import type { DisplayPool } from './source.ts'
import type { FeedAnswer, FeedRequest } from './swapFeed.ts'
import type { Snapshot } from './takeSnapshot.ts'
import type { TokenMarket } from './tokenMarket.ts'
import type { TokenWindows } from './tokenWindows.ts'

/** Points, candles and swaps in memory. */
const rowsMax = 100_000
const entriesMax = 5_000
/** Readings at once, and those that wait for one: all tokens of a page in all ranges, and some more. */
const atOnceMax = 2
const waitingMax = 512

export type HistoryReaders = {
  readonly readChart: (market: TokenMarket, range: ChartRange) => Promise<Chart>
  readonly readCandles: (market: TokenMarket, request: CandleRequest) => Promise<CandlePage>
  readonly readSwaps: (pool: DisplayPool, limit: number) => Promise<TokenSwap[]>
  readonly readFeed: (request: FeedRequest) => Promise<FeedAnswer>
  readonly readWindows: (market: TokenMarket) => Promise<TokenWindows>
  readonly readPools: () => Promise<PoolBoard>
}

/** `atBlock`: the newest block at which the value was true; undefined while the index is empty. */
export type Dated<V> = { readonly value: V; readonly atBlock: BlockRef | undefined }

export type History = {
  readonly readChart: (...asked: Parameters<HistoryReaders['readChart']>) => Promise<Dated<Chart>>
  readonly readCandles: (...asked: Parameters<HistoryReaders['readCandles']>) => Promise<Dated<CandlePage>>
  readonly readSwaps: (...asked: Parameters<HistoryReaders['readSwaps']>) => Promise<Dated<TokenSwap[]>>
  readonly readFeed: (...asked: Parameters<HistoryReaders['readFeed']>) => Promise<Dated<FeedAnswer>>
  /** Read again when so much time has passed on the chain. */
  readonly readWindows: (...asked: Parameters<HistoryReaders['readWindows']>) => Promise<Dated<TokenWindows>>
  readonly readPools: (...asked: Parameters<HistoryReaders['readPools']>) => Promise<Dated<PoolBoard>>
  /** A few prices of the last seven days, read once an hour. */
  readonly readSparkline: (market: TokenMarket) => Promise<Dated<readonly Sample<bigint>[]>>
  /** Rows in memory. */
  readonly size: () => number
}

type Kept = Dated<object> & { readonly position: Position; readonly rows: number }
type Flight = { readonly position: Position; readonly atBlock: BlockRef | undefined; readonly reading: Promise<object> }

/**
 * Charts and swaps, read once for a block and a price, with one reading under way for each. One begins in each turn of the event loop.
 * While the store is away, what was read last serves, however old, and says of which block it is.
 * @throws Failure `busy` with `retryAfterSeconds` when too many readings wait
 */
export function keepHistory(readers: HistoryReaders, snapshot: () => Pick<Snapshot, 'atBlock'>): History {
  const { readChart, readSwaps } = readers
  const kept = new LRUCache<string, Kept>({ max: entriesMax, maxSize: rowsMax, sizeCalculation: ({ rows }) => rows })
  const underWay = new Map<string, Flight>()
  const inTurn = readInTurns()

  const keep = async <V extends object>({ key, position, countRows }: Wish<V>, read: () => Promise<V>): Promise<Dated<V>> => {
    const { atBlock } = snapshot()
    const last = kept.get(key) as (Kept & Dated<V>) | undefined
    if (last && isSame(last.position, position)) {
      // Still true at this block.
      if (last.atBlock !== atBlock) kept.set(key, { ...last, atBlock })
      return { value: last.value, atBlock }
    }
    const other = underWay.get(key)
    if (other && isSame(other.position, position)) return { value: (await other.reading) as V, atBlock: other.atBlock }
    const reading = inTurn(read)
    const flight = { position, atBlock, reading }
    underWay.set(key, flight)
    try {
      const value = await reading
      kept.set(key, { position, value, atBlock, rows: countRows(value) })
      return { value, atBlock }
    } catch (error) {
      if (last && error instanceof Failure && error.code !== 'busy') return { value: last.value, atBlock: last.atBlock }
      throw error
    } finally {
      if (underWay.get(key) === flight) underWay.delete(key)
    }
  }

  return {
    size: () => kept.calculatedSize,
    readChart: (market, range) => {
      const position = toPosition(market, snapshot().atBlock)
      return keep({ key: `${market.token.id} ${range}`, position, countRows: countPoints }, () => readChart(market, range))
    },
    readSparkline: (market) => {
      const position = toHourPosition(market, snapshot().atBlock)
      return keep({ key: `${market.token.id} sparkline`, position, countRows: countSamples }, async () =>
        toSparkline((await readChart(market, '1w')).points),
      )
    },
    readCandles: (market, asked) => {
      const { atBlock } = snapshot()
      const request = toPage(asked, atBlock)
      const key = `${market.token.id} candles ${request.interval} ${request.before ?? ''}`
      const wish = { key, position: toCandlePosition(market, request, atBlock), countRows: countCandles }
      return keep(wish, () => readers.readCandles(market, request))
    },
    readSwaps: (pool, limit) => {
      const position = [snapshot().atBlock?.hash]
      return keep({ key: `${pool.pool} ${pool.baseIsToken0} ${limit}`, position, countRows: countSwaps }, () =>
        readSwaps(pool, limit),
      )
    },
    readFeed: (request) => {
      const position = [snapshot().atBlock?.hash]
      return keep({ key: `feed ${toKey(request)}`, position, countRows: countFeed }, () => readers.readFeed(request))
    },
    readWindows: (market) => {
      const position = [toSlot(snapshot().atBlock)]
      return keep({ key: `${market.token.id} windows`, position, countRows: () => windowRows }, () => readers.readWindows(market))
    },
    readPools: () => keep({ key: 'pools', position: [toSlot(snapshot().atBlock)], countRows: countPools }, readers.readPools),
  }
}

/** What an answer follows from; another one makes it old. */
type Position = readonly (string | bigint | undefined)[]
type Wish<V> = { readonly key: string; readonly position: Position; readonly countRows: (value: V) => number }

/** A market is made again whenever its sources are asked: its chart is not, while the index and the price are the same. */
function toPosition({ quote, displayPool }: TokenMarket, atBlock: BlockRef | undefined): Position {
  if (!quote) return [displayPool?.pool]
  return [displayPool?.pool, atBlock?.hash, quote.usdE18, quote.lastUsdE18, quote.route.map(({ pool }) => pool).join()]
}

/** Seconds of the chain for which figures over all pools, or over a day of swaps, stay as they are: they take longer to read than a page. */
const slotSeconds = 15
/** Of spans and of addresses that trade. */
const windowRows = 25

const toSlot = (atBlock: BlockRef | undefined) => atBlock && String(Math.floor(atBlock.timestampSeconds / slotSeconds))

function toKey({ before, usdE18Min, ...request }: FeedRequest): string {
  return JSON.stringify([request, before?.blockNumber, before?.logIndex, usdE18Min?.toString()])
}

/** What a sparkline follows from: its newest point may be an hour old. */
function toHourPosition({ quote }: TokenMarket, atBlock: BlockRef | undefined): Position {
  if (!quote || !atBlock) return []
  return [String(startOfHour(atBlock.timestampSeconds)), quote.route.map(({ pool }) => pool).join()]
}

/** The one request for a page: any second within its last candle asks for it, and any beyond the newest candle for the newest. */
function toPage({ interval, before }: CandleRequest, atBlock: BlockRef | undefined): CandleRequest {
  const { seconds } = candleIntervals[interval]
  const end = before === undefined ? Infinity : before - (before % seconds)
  return atBlock && end <= atBlock.timestampSeconds ? { interval, before: end } : { interval }
}

/** Candles that ended hours ago stay as they are for an hour: no chain leaves so many blocks. */
function toCandlePosition(market: TokenMarket, { before }: CandleRequest, atBlock: BlockRef | undefined): Position {
  const isPast = before !== undefined && atBlock !== undefined && before < atBlock.timestampSeconds - pastSeconds
  if (!isPast) return toPosition(market, atBlock)
  const scaledTo = market.quote?.source === 'index' ? undefined : market.quote?.usdE18
  return [...toHourPosition(market, atBlock), market.quote?.source, scaledTo]
}

const pastSeconds = 2 * 3_600
const sparklineStep = 6

/** Every sixth point, counted back from the newest one. */
function toSparkline(points: readonly Sample<bigint>[]): readonly Sample<bigint>[] {
  return points.filter((_, i) => (points.length - 1 - i) % sparklineStep === 0)
}

const isSame = (a: Position, b: Position) => a.length === b.length && a.every((value, i) => value === b[i])

const countPoints = ({ points, candles }: Chart) => points.length + candles.length + 1
const countCandles = ({ candles }: CandlePage) => candles.length + 1
const countFeed = ({ swaps }: FeedAnswer) => swaps.length + 1
const countPools = ({ pools }: PoolBoard) => pools.length + 1
const countSamples = (samples: readonly Sample<bigint>[]) => samples.length + 1
const countSwaps = (swaps: readonly TokenSwap[]) => swaps.length + 1

/**
 * Readings of which one begins in each turn of the event loop: the first at once, since a turn may be longer than a reading. One after the
 * other would leave no turn to anybody else.
 */
function readInTurns(): <V>(read: () => Promise<V>) => Promise<V> {
  const room = bulkhead(atOnceMax, waitingMax)
  let hasBegun = false
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  const begin = async <V>(read: () => Promise<V>): Promise<V> => {
    while (hasBegun) await nextTurn()
    hasBegun = true
    void nextTurn().then(() => {
      hasBegun = false
    })
    return read()
  }
  return async (read) => {
    try {
      return await room.execute(() => begin(read))
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error
      throw new Failure('busy', 'Too many charts are being read. Try again', {
        retryable: true,
        detail: { retryAfterSeconds: 1 },
      })
    }
  }
}
