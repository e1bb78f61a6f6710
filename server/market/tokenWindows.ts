import { type Address, daySeconds, hourSeconds, percentChange, startOfHour, usdAlong } from '@chainboard/core'
import type { IndexReader } from '../store/indexSwitch.ts'
import { listMediansOf } from '../store/pastMedians.ts'
import type { Tx } from '../store/store.ts'
import { listPoolFaces, listTradedPools, type PoolFace } from '../store/swapFeed.ts'
import { findCursor } from '../store/syncCursor.ts'
import { type HourTrades, listHourTrades, listPoolTrades, type PoolTrade } from '../store/tokenTrades.ts'
import type { TokenMarket } from './tokenMarket.ts'

/** Seconds of each span of time that a token's figures are told for. */
export const spans = { '5m': 300, '1h': hourSeconds, '6h': 6 * hourSeconds, '24h': daySeconds, '7d': 7 * daySeconds } as const
export type SpanName = keyof typeof spans

/** Money is US dollars x 10^18. What is undefined is not known. */
export type TokenWindow = {
  readonly span: SpanName
  readonly changePercent: number | undefined
  readonly volumeUsdE18: bigint | undefined
  readonly swaps: number | undefined
  /** Who traded how: known for as far back as single trades are looked at. */
  readonly trades: Trades | undefined
}

export type Trades = {
  readonly buys: number
  readonly sells: number
  readonly boughtUsdE18: bigint
  readonly soldUsdE18: bigint
  /** Different addresses that were paid. */
  readonly traders: number
}

/** What one address bought and sold in a day, in US dollars x 10^18. */
export type Trader = { readonly wallet: Address; readonly boughtUsdE18: bigint; readonly soldUsdE18: bigint }

export type TokenWindows = {
  readonly windows: readonly TokenWindow[]
  /** Of the last 24 hours, those that traded most; undefined when there were too many trades to look at each. */
  readonly traders: readonly Trader[] | undefined
}

/** Pools of a token that are counted: with more, the trades are not known. */
const poolsMax = 50
/** Trades of the last day that are looked at one by one. */
export const tradesMax = 10_000
const tradersShown = 20

/** The figures of a token over several spans of time until the newest block of the index. */
export function readTokenWindows(
  index: IndexReader,
  market: TokenMarket,
  { windowSeconds, tradesAtMost = tradesMax }: { readonly windowSeconds: number; readonly tradesAtMost?: number },
): Promise<TokenWindows> {
  return index.use(({ store, sinceSeconds }) =>
    store.readConsistently(async (tx) => {
      const nowSeconds = (await findCursor(tx))?.block?.timestampSeconds
      if (nowSeconds === undefined) return { windows: [], traders: undefined }
      const history = await readTrades(tx, market.token.id, { nowSeconds, tradesAtMost })
      const windows: TokenWindow[] = []
      for (const span of Object.keys(spans).filter(isSpan)) {
        const from = nowSeconds - spans[span]
        // An index of the newest blocks alone does not have all of a long span.
        const isWhole = sinceSeconds === undefined || sinceSeconds <= from
        const counted = isWhole ? await countTrades(tx, history, from) : undefined
        const isDay = span === '24h'
        windows.push({
          span,
          changePercent: isDay
            ? market.change24hPercent
            : span === '7d'
              ? market.change7dPercent
              : await readChange(tx, market, { nowSeconds: from, windowSeconds }),
          volumeUsdE18: isDay && market.quote ? market.volume24hUsdE18 : counted?.usdE18,
          swaps: counted?.swaps,
          trades: isWhole && history && from >= history.knownFrom ? sumTrades(history.trades, from) : undefined,
        })
      }
      const knowsDay = history !== undefined && history.knownFrom <= nowSeconds - daySeconds
      return { windows, traders: knowsDay ? rankTraders(history.trades) : undefined }
    }),
  )
}

const isSpan = (text: string): text is SpanName => Object.hasOwn(spans, text)

/** A trade as seen from the token. */
type TokenTrade = { readonly atSeconds: number; readonly wallet: Address; readonly isBuy: boolean; readonly usdE18: bigint }

type History = {
  readonly nowSeconds: number
  readonly pools: readonly Address[]
  readonly hours: readonly HourTrades[]
  /** Newest first, after `knownFrom`. */
  readonly trades: readonly TokenTrade[]
  /** Unix seconds: every trade after it is among `trades`. */
  readonly knownFrom: number
}

type Limits = { readonly nowSeconds: number; readonly tradesAtMost: number }

/** @returns undefined for a token with too many pools */
async function readTrades(tx: Tx, token: Address, { nowSeconds, tradesAtMost }: Limits): Promise<History | undefined> {
  const weekAgo = nowSeconds - spans['7d']
  const traded = (await listTradedPools(tx, token, poolsMax + 1)).filter(({ lastSwapAtSeconds: at }) => at > weekAgo)
  if (traded.length > poolsMax) return undefined
  const pools = traded.map(({ address }) => address)
  const faces = await listPoolFaces(tx, pools)
  const trades: TokenTrade[] = []
  const hours: HourTrades[] = []
  let knownFrom = nowSeconds - daySeconds
  for (const face of faces) {
    const span = { pool: face.address, afterSeconds: knownFrom, toSeconds: nowSeconds }
    const own = await listPoolTrades(tx, span, tradesAtMost + 1)
    // Of the oldest second there may be more.
    if (own.length > tradesAtMost) knownFrom = Math.max(knownFrom, own.at(-1)?.atSeconds ?? nowSeconds)
    for (const trade of own) trades.push(toTokenTrade(token, face, trade))
    hours.push(
      ...(await listHourTrades(tx, { pool: face.address, fromSeconds: startOfHour(weekAgo), toSeconds: nowSeconds + 1 })),
    )
    await new Promise((turn) => setImmediate(turn))
  }
  trades.sort((a, b) => b.atSeconds - a.atSeconds)
  const cut = trades[tradesAtMost]
  if (cut) knownFrom = Math.max(knownFrom, cut.atSeconds)
  return { nowSeconds, pools, hours, trades: trades.filter(({ atSeconds }) => atSeconds > knownFrom), knownFrom }
}

function toTokenTrade(token: Address, face: PoolFace, { atSeconds, recipient, amount0, amount1, usdE18 }: PoolTrade): TokenTrade {
  const isBuy = (face.token0.address === token ? amount0 : amount1) < 0n
  return { atSeconds, wallet: recipient, isBuy, usdE18 }
}

type Count = { readonly swaps: number; readonly usdE18: bigint }

/** By single trades where these are known; else by whole hours, and the trades of the hour that the span cuts. */
async function countTrades(tx: Tx, history: History | undefined, from: number): Promise<Count | undefined> {
  if (!history) return undefined
  const { trades, hours, pools, knownFrom } = history
  if (from >= knownFrom) return sumUp(trades.filter(({ atSeconds }) => atSeconds > from))
  const cutEnd = startOfHour(from) + hourSeconds
  const whole = hours.filter(({ startSeconds }) => startSeconds >= cutEnd)
  const cut: PoolTrade[] = []
  for (const pool of pools) {
    const own = await listPoolTrades(tx, { pool, afterSeconds: from, toSeconds: cutEnd - 1 }, tradesMax)
    if (own.length === tradesMax) return undefined
    cut.push(...own)
  }
  const [ofHours, ofCut] = [whole.reduce((sum, { swaps }) => sum + swaps, 0), sumUp(cut)]
  return { swaps: ofHours + ofCut.swaps, usdE18: sumUp(whole).usdE18 + ofCut.usdE18 }
}

function sumUp(traded: readonly { readonly usdE18: bigint }[]): Count {
  return { swaps: traded.length, usdE18: traded.reduce((sum, { usdE18 }) => sum + usdE18, 0n) }
}

function sumTrades(all: readonly TokenTrade[], from: number): Trades {
  const inside = all.filter(({ atSeconds }) => atSeconds > from)
  const bought = inside.filter(({ isBuy }) => isBuy)
  const sold = inside.filter(({ isBuy }) => !isBuy)
  return {
    buys: bought.length,
    sells: sold.length,
    boughtUsdE18: sumUp(bought).usdE18,
    soldUsdE18: sumUp(sold).usdE18,
    traders: new Set(inside.map(({ wallet }) => wallet)).size,
  }
}

function rankTraders(trades: readonly TokenTrade[]): Trader[] {
  const traders = [...Map.groupBy(trades, ({ wallet }) => wallet)].map(([wallet, own]) => {
    const { boughtUsdE18, soldUsdE18 } = sumTrades(own, 0)
    return { wallet, boughtUsdE18, soldUsdE18 }
  })
  const volumeOf = ({ boughtUsdE18, soldUsdE18 }: Trader) => boughtUsdE18 + soldUsdE18
  const byVolume = traders.sort((a, b) => Number(volumeOf(b) - volumeOf(a)))
  return byVolume.slice(0, tradersShown)
}

/** Against the medians of the window that ended then, along the pools of the price; undefined where one of them is younger. */
async function readChange(
  tx: Tx,
  { quote }: TokenMarket,
  then: { readonly nowSeconds: number; readonly windowSeconds: number },
): Promise<number | undefined> {
  if (quote?.source !== 'index' || quote.route.length === 0) return undefined
  const medians = await listMediansOf(
    tx,
    quote.route.map(({ pool }) => pool),
    then,
  )
  const before = usdAlong(quote.route, (pool) => medians.get(pool))
  return before === undefined ? undefined : percentChange(before, quote.usdE18)
}
