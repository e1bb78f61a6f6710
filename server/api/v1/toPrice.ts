import type { WirePrice } from '@chainboard/contract'
import { e18ToNumber } from '@chainboard/core'
import { priceStatusOf } from '../../market/takeSnapshot.ts'
import type { TokenMarket } from '../../market/tokenMarket.ts'
import { toNumber, toOrganic, toPairPrice } from '../toWire.ts'

/** A token as the price API tells it. Missing figures of an unpriced token are 0. */
export function toPrice(market: TokenMarket, nowSeconds: number): WirePrice {
  const { token, quote, displayPool, reasons } = market
  const priceStatus = priceStatusOf(market, { nowSeconds })
  return {
    name: token.name,
    symbol: token.symbol,
    address: token.address,
    usdPrice: e18ToNumber(quote?.usdE18 ?? 0n),
    lastPriceUsd: toNumber(quote?.lastUsdE18),
    priceLow: toNumber(quote?.range?.lowE18),
    priceHigh: toNumber(quote?.range?.highE18),
    costToMove10Percent: toNumber(quote?.costToMoveUsdE18),
    pairPrice: toPairPrice(market),
    pairSymbol: displayPool?.quoteSymbol ?? null,
    change24h: quote ? (market.change24hPercent ?? null) : 0,
    volume24h: toNumber(market.volume24hUsdE18),
    ...toOrganic(market),
    marketCap: e18ToNumber(market.marketCapUsdE18),
    asOf: quote?.observedAtSeconds ?? null,
    block: quote?.atBlock?.number ?? null,
    stale: priceStatus === 'stale',
    confidence: quote?.confidence ?? 0,
    priceStatus,
    priceReasons: [...reasons],
    warnings: [...market.warnings],
  }
}
