import { type Address, numberToE18, oneE18, timesFraction } from '@chainboard/core'
import { offChain, type Quote } from '../source.ts'
import { type DexPair, type ListedCoin, toFigure } from './cmcShapes.ts'

/** Many exchanges, weighed by somebody else: trusted, but nobody can work it out again. */
const listedConfidence = 0.9
/** One pool, read by somebody else. */
const dexConfidence = 0.6

/** A coin of the listing as a quote; undefined when it is listed without a price. Pure. */
export function quoteFromCoin(coin: ListedCoin, nowSeconds: number): Quote | undefined {
  const { USD } = coin.quote
  const usdE18 = toPositiveE18(USD.price)
  if (usdE18 === undefined) return undefined
  return {
    ...offChain,
    reasons: [],
    source: 'cmcListed',
    usdE18,
    confidence: listedConfidence,
    observedAtSeconds: toSeconds([USD.last_updated, coin.last_updated], nowSeconds),
    dayAgoUsdE18: before(usdE18, percentToFraction(USD.percent_change_24h)),
    weekAgoUsdE18: before(usdE18, percentToFraction(USD.percent_change_7d)),
    volume24hUsdE18: toPositiveE18(USD.volume_24h) ?? 0n,
    fdmcUsdE18: toPositiveE18(USD.fully_diluted_market_cap),
    marketCapUsdE18: toPositiveE18(USD.market_cap),
  }
}

/**
 * A pair as a quote for one of its tokens; undefined when it is not one of them or there is no price. Pure. The pair's price,
 * change and value are those of its base asset: of the quote asset, only the price can be worked out.
 */
export function quoteFromPair(pair: DexPair, token: Address, nowSeconds: number): Quote | undefined {
  const quote = pair.quote.find(({ convert_id }) => convert_id === usdConvertId) ?? pair.quote[0]
  const baseUsdE18 = toPositiveE18(quote?.price)
  if (!quote || baseUsdE18 === undefined) return undefined
  const common = {
    ...offChain,
    reasons: [],
    source: 'cmcDex' as const,
    confidence: dexConfidence,
    observedAtSeconds: toSeconds([quote.last_updated, pair.last_updated], nowSeconds),
    volume24hUsdE18: toPositiveE18(quote.volume_24h) ?? 0n,
    marketCapUsdE18: undefined,
    weekAgoUsdE18: undefined,
  }
  if (pair.base_asset_contract_address.toLowerCase() === token) {
    return {
      ...common,
      usdE18: baseUsdE18,
      dayAgoUsdE18: before(baseUsdE18, toFigure(quote.percent_change_price_24h)),
      fdmcUsdE18: toPositiveE18(quote.fully_diluted_value) ?? toPositiveE18(pair.fully_diluted_value),
    }
  }
  const baseInQuoteE18 = toPositiveE18(quote.price_by_quote_asset)
  if (pair.quote_asset_contract_address.toLowerCase() !== token || baseInQuoteE18 === undefined) return undefined
  const usdE18 = timesFraction(baseUsdE18, { numerator: oneE18, denominator: baseInQuoteE18 })
  return usdE18 > 0n ? { ...common, usdE18, dayAgoUsdE18: undefined, fdmcUsdE18: undefined } : undefined
}

const usdConvertId = '2781'

/** 0 stands for "not known" in CoinMarketCap's answers as null does. */
function toPositiveE18(value: number | string | null | undefined): bigint | undefined {
  const figure = toFigure(value)
  const e18 = figure === undefined ? undefined : numberToE18(figure)
  return e18 !== undefined && e18 > 0n ? e18 : undefined
}

/** Price before a change by `fraction` of it; undefined when that says nothing, as after a fall by all of it. */
function before(usdE18: bigint, fraction: number | undefined): bigint | undefined {
  const changeE18 = fraction === undefined ? undefined : numberToE18(fraction)
  if (changeE18 === undefined || changeE18 <= -oneE18) return undefined
  return timesFraction(usdE18, { numerator: oneE18, denominator: oneE18 + changeE18 })
}

function percentToFraction(percent: number | string | null | undefined): number | undefined {
  const figure = toFigure(percent)
  return figure === undefined ? undefined : figure / 100
}

/** The first time of day that can be read, never one that is yet to come; none: the moment of the reading. */
function toSeconds(texts: readonly (string | null | undefined)[], nowSeconds: number): number {
  const times = texts.map((text) => Date.parse(text ?? '')).filter((ms) => !Number.isNaN(ms))
  return Math.floor(Math.min(nowSeconds, times[0] === undefined ? nowSeconds : times[0] / 1000))
}
