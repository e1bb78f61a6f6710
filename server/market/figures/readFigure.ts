import type { FigureName, FigurePool, FigureReceipt, FigureSpan } from '@chainboard/contract'
import { type Address, daySeconds, hourSeconds, rawToDecimal, usdAlong } from '@chainboard/core'
import type { NetworkFile } from '../../networkFileSchema.ts'
import { findKeptSince } from '../../store/keptSince.ts'
import { listMediansAt } from '../../store/pastMedians.ts'
import { listPoolEventsBetween } from '../../store/poolEvents.ts'
import type { Tx } from '../../store/store.ts'
import { listPricesAt, listValuedSwapsOf, type ValuedSwap } from '../../store/swaps.ts'
import type { PoolBook } from '../answerFromPools.ts'
import { toPriceRules, toReceipt } from '../receipt.ts'
import { toChecksum } from '../toChecksum.ts'
import type { TokenMarket } from '../tokenMarket.ts'
import { timesSupply } from '../tokenMarket.ts'
import { toHourDollars, toHourPrices } from './hourFigures.ts'
import { listPricing } from './listPricing.ts'
import { toPlainText } from './plainText.ts'
import { toSwapSpan } from './swapSpan.ts'

/** Swaps that a receipt sums up; more are not worked out for a visitor. */
const swapsMax = 200_000

export type FigureRequest = {
  readonly figure: FigureName
  readonly book: PoolBook
  /** Of the token at the book's block. */
  readonly market: TokenMarket
  readonly network: NetworkFile
  /** Start of the candle's hour. */
  readonly hourStart: number
}

/** A part of a receipt, or why there is none. */
type Made = Pick<FigureReceipt, 'value' | 'reasons'> & Partial<Pick<FigureReceipt, 'change' | 'volume' | 'candle' | 'marketCap'>>

const none = (reason: string): Made => ({ value: null, reasons: [reason] })

/** What a figure of a token is made of, out of the index. */
export async function readFigure(tx: Tx, request: FigureRequest): Promise<FigureReceipt> {
  const { figure, market, network, book } = request
  const { number, hash, timestampSeconds } = book.atBlock
  const { reasons, ...made } = await make(tx, request)
  const claims = {
    figure,
    token: market.token.address,
    symbol: market.token.symbol,
    block: { number, hash, timestamp: timestampSeconds },
    change: null,
    volume: null,
    candle: null,
    marketCap: null,
    ...made,
  }
  const price = toReceipt(market, toPriceRules(network))
  return { ...claims, reasons, price, checksum: toChecksum({ ...claims, price: price.checksum }) }
}

async function make(tx: Tx, request: FigureRequest): Promise<Made> {
  const { figure, market } = request
  const { quote } = market
  if (!quote) return none(market.reasons[0] ?? 'The token has no price')
  if (quote.source !== 'index') return none(`The figure comes from ${quote.source}, outside the chain`)
  switch (figure) {
    case 'change24h':
      return makeChange(tx, request)
    case 'volume24h':
      return makeVolume(tx, request)
    case 'candle':
      return makeCandle(tx, request)
    case 'marketcap':
      return makeMarketCap(market)
  }
}

async function makeChange(tx: Tx, { market: { quote, change24hPercent }, book }: FigureRequest): Promise<Made> {
  const route = quote?.route ?? []
  const beforeSeconds = book.atBlock.timestampSeconds - daySeconds
  const beforeUsdE18 = quote?.dayAgoUsdE18
  if (beforeUsdE18 === undefined || change24hPercent === undefined || book.windowSeconds === undefined)
    return none('A pool on the route is younger than a day')
  const medians = await listMediansAt(tx, { nowSeconds: beforeSeconds, windowSeconds: book.windowSeconds })
  return {
    value: toPlainText(change24hPercent),
    reasons: [],
    change: {
      beforeSeconds,
      beforeUsd: rawToDecimal(beforeUsdE18, 18),
      medians: route.map(({ pool }) => (medians.get(pool) ?? 0n).toString()),
    },
  }
}

async function makeVolume(tx: Tx, { market, book }: FigureRequest): Promise<Made> {
  const toSeconds = book.atBlock.timestampSeconds
  const own = book.pools.filter(({ token0, token1 }) => token0 === market.token.id || token1 === market.token.id)
  const span = await readSpan(tx, book, { pools: own, fromSeconds: toSeconds - daySeconds, toSeconds })
  if (!span) return none(`More than ${swapsMax} swaps: too many for a receipt`)
  return { value: rawToDecimal(span.totalE18, 18), reasons: [], volume: span.volume }
}

async function makeCandle(tx: Tx, { market: { quote }, book, hourStart }: FigureRequest): Promise<Made> {
  const { number: toBlock, timestampSeconds } = book.atBlock
  const route = quote?.route ?? []
  const hop = route[0]
  if (!hop) return none('The token has no pool of its own that prices it')
  if (hourStart > timestampSeconds) return none('That hour has not begun at this block')
  const { swaps: since } = await findKeptSince(tx)
  if (since !== undefined && hourStart < since)
    return none(`Swaps before ${new Date(since * 1_000).toISOString().slice(0, 10)} are no longer kept`)
  const lastSecond = Math.min(hourStart + hourSeconds - 1, timestampSeconds)
  const own = book.pools.filter(({ address }) => address === hop.pool)
  const before = (await listPricesAt(tx, hourStart - 1)).get(hop.pool) ?? 0n
  const span = await readSpan(tx, book, { pools: own, fromSeconds: hourStart - 1, toSeconds: lastSecond })
  if (!span) return none(`More than ${swapsMax} swaps: too many for a receipt`)
  const others = await listPoolEventsBetween(tx, { fromSeconds: hourStart, toSeconds: hourStart + hourSeconds, toBlock })
  const events = [...span.swaps, ...others.filter(({ pool }) => pool === hop.pool)].sort(
    (a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
  )
  const prices = toHourPrices(events, before)
  const isNow = lastSecond === timestampSeconds
  const atEnd = isNow
    ? new Map(book.pools.map(({ address, sqrtPriceX96 }) => [address, sqrtPriceX96]))
    : await listPricesAt(tx, lastSecond)
  const closeUsdE18 = usdAlong(route, (pool) => atEnd.get(pool))
  if (span.swaps.length === 0 || !prices || closeUsdE18 === undefined) return none('No trades in that hour')
  const usd = toHourDollars(hop, prices, closeUsdE18)
  return {
    value: rawToDecimal(span.totalE18, 18),
    reasons: [],
    candle: {
      startSeconds: hourStart,
      open: rawToDecimal(usd.open, 18),
      high: rawToDecimal(usd.high, 18),
      low: rawToDecimal(usd.low, 18),
      close: rawToDecimal(usd.close, 18),
      openX96: prices.open.toString(),
      highX96: prices.high.toString(),
      lowX96: prices.low.toString(),
      closesX96: route.map(({ pool }) => (atEnd.get(pool) ?? 0n).toString()),
      span: span.volume,
    },
  }
}

function makeMarketCap({ quote, supply, token }: TokenMarket): Made {
  if (supply === undefined || !quote) return none('The supply at that block is not kept')
  return {
    value: rawToDecimal(timesSupply(quote.usdE18, supply), 18),
    reasons: [],
    marketCap: { supply: toPlainText(supply), supplyFrom: token.supply === undefined ? 'chain' : 'list' },
  }
}

type BookPool = PoolBook['pools'][number]
type SpanRequest = { readonly pools: readonly BookPool[]; readonly fromSeconds: number; readonly toSeconds: number }
type ReadSpan = { readonly volume: FigureSpan; readonly totalE18: bigint; readonly swaps: readonly ValuedSwap[] }

/** @returns undefined when there are too many swaps */
async function readSpan(tx: Tx, book: PoolBook, { pools, fromSeconds, toSeconds }: SpanRequest): Promise<ReadSpan | undefined> {
  const traded: { readonly pool: BookPool; readonly swaps: ValuedSwap[] }[] = []
  let left = swapsMax
  for (const pool of pools) {
    const span = { pool: pool.address, afterSeconds: fromSeconds, toSeconds, toBlock: book.atBlock.number }
    const swaps = await listValuedSwapsOf(tx, span, left + 1)
    if (swaps.length > left) return undefined
    left -= swaps.length
    if (swaps.length > 0) traded.push({ pool, swaps })
  }
  const pricing = listPricing(
    book,
    traded.map(({ pool }) => pool),
  )
  return {
    totalE18: sumDollars(traded.flatMap(({ swaps }) => swaps)),
    swaps: traded.flatMap(({ swaps }) => swaps),
    volume: {
      fromSeconds,
      toSeconds,
      pools: traded.map(({ pool, swaps }) => {
        const { volume0, volume1, ...span } = toSwapSpan(swaps)
        return {
          ...toFigurePool(book, pool),
          ...span,
          volume0: volume0.toString(),
          volume1: volume1.toString(),
          volumeUsd: rawToDecimal(sumDollars(swaps), 18),
        }
      }),
      pricing: pricing?.map((pool) => toFigurePool(book, pool)) ?? null,
    },
  }
}

function sumDollars(swaps: readonly ValuedSwap[]): bigint {
  return swaps.reduce((sum, { usdE18 }) => sum + usdE18, 0n)
}

function toFigurePool({ decimals }: PoolBook, pool: BookPool): FigurePool {
  const { address, token0, token1, fee, firstSwapAtSeconds } = pool
  const decimalsOf = (token: Address) => decimals.get(token) ?? null
  return {
    ...{ pool: address, token0, token1, fee },
    ...{ decimals0: decimalsOf(token0), decimals1: decimalsOf(token1), firstSwapAt: firstSwapAtSeconds ?? null },
  }
}
