import type { WireBoost, WireChart, WireSwap, WireToken } from '@chainboard/contract'
import { e18ToNumber, rawToDecimal, rawToNumber, type Sample, toBoostInfo } from '@chainboard/core'
import { getAddress } from 'viem'
import type { BoostPayment } from '../boosts/boosts.ts'
import type { Chart } from '../market/readChart.ts'
import type { TokenSwap } from '../market/readSwaps.ts'
import { getDefinition } from '../market/sourceRegistry.ts'
import { priceStatusOf } from '../market/takeSnapshot.ts'
import type { TokenMarket } from '../market/tokenMarket.ts'

/**
 * A token as `/assets.json` has it. Missing figures of an unpriced token are 0, as the specification wants them.
 * @param boost its end, and what time it is on the chain, both in unix seconds; an end in the past: not boosted
 */
export function toWireToken(
  market: TokenMarket,
  { boost, ...freshness }: { nowSeconds: number; boost?: { readonly untilSeconds: number; readonly chainSeconds: number } },
): WireToken {
  const { token, quote, displayPool } = market
  const { id: _, priceInfo: listed, ...entry } = token
  const priceInUsd = e18ToNumber(quote?.usdE18 ?? 0n)
  const pool = displayPool
    ? { poolAddress: displayPool.pool, baseToken: { symbol: displayPool.quoteSymbol }, feeTier: displayPool.fee }
    : listed
  const boostInfo = toBoostInfo(boost?.untilSeconds ?? 0, boost?.chainSeconds ?? freshness.nowSeconds)
  return {
    ...entry,
    ...(boostInfo.isBoosted ? { boostInfo } : {}),
    ...(pool ? { priceInfo: { ...pool, usdPrice: priceInUsd } } : {}),
    supply: market.supply ?? 0,
    priceInUsd,
    lastPriceUsd: toNumber(quote?.lastUsdE18),
    priceLow: toNumber(quote?.range?.lowE18),
    priceHigh: toNumber(quote?.range?.highE18),
    costToMove10Percent: toNumber(quote?.costToMoveUsdE18),
    pairPrice: toPairPrice(market),
    pairSymbol: displayPool?.quoteSymbol ?? null,
    priceChange5m: market.recentPercent?.m5 ?? null,
    priceChange1h: market.recentPercent?.h1 ?? null,
    priceChange6h: market.recentPercent?.h6 ?? null,
    priceChange24h: quote ? (market.change24hPercent ?? null) : 0,
    priceChange7d: quote ? (market.change7dPercent ?? null) : 0,
    volume24h: toNumber(market.volume24hUsdE18),
    ...toOrganic(market),
    depthUsd: toNumber(market.depthUsdE18),
    firstTradeAt: market.firstTradeAtSeconds ?? null,
    fdmc: e18ToNumber(market.fdmcUsdE18),
    marketCap: e18ToNumber(market.marketCapUsdE18),
    rank: market.rank,
    priceStatus: priceStatusOf(market, freshness),
    priceSource: quote?.source ?? null,
    priceSourceLabel: quote ? getDefinition(quote.source).label : null,
    priceReasons: [...market.reasons],
    priceAsOf: quote?.observedAtSeconds ?? null,
    confidence: quote?.confidence ?? 0,
    warnings: [...market.warnings],
  }
}

/** In the token of its pool; 0 without one, and when unpriced: a pool too thin to price a token may name any price. */
export function toPairPrice({ quote, displayPool }: TokenMarket): number {
  return e18ToNumber((quote && displayPool?.priceE18) ?? 0n)
}

/** What of a token's volume is organic, as every route tells it. */
export function toOrganic({ organic, volume24hUsdE18 }: TokenMarket): Pick<WireToken, 'organicVolume24h' | 'organicCoverage'> {
  return {
    organicVolume24h: toNumber(organic && volume24hUsdE18 !== undefined ? least(organic.usdE18, volume24hUsdE18) : undefined),
    organicCoverage: organic?.coverage ?? 0,
  }
}

/** Organic volume may be some seconds older than the gross one. */
function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** A swap as `/api/tokens/{address}/swaps` has it. Amounts are decimal texts, as the pool moved them; a figure without a price is null. */
export function toWireSwap(entry: TokenSwap): WireSwap {
  const { swap, pool } = entry
  return {
    id: `${swap.txHash}-${swap.logIndex}`,
    timestamp: swap.timestampSeconds,
    amount0: rawToDecimal(swap.amount0, pool.decimals0),
    amount1: rawToDecimal(swap.amount1, pool.decimals1),
    sender: swap.sender,
    recipient: swap.recipient,
    transaction: { id: swap.txHash },
    pool: { token0: { id: pool.token0 }, token1: { id: pool.token1 } },
    type: entry.type,
    tokenAmount: rawToNumber(entry.tokenAmountRaw, pool.baseIsToken0 ? pool.decimals0 : pool.decimals1),
    usdValue: toNumber(entry.usdE18),
    priceImpact: entry.priceImpactPercent ?? null,
    tokenPriceAtSwap: toNumber(entry.tokenUsdE18),
    percentChangeFromPrevious: entry.changePercent ?? null,
  }
}

/** A payment as `/api/boosts` has it: checksummed addresses, the amount as a decimal text, unix seconds. */
export function toWireBoost(payment: BoostPayment): WireBoost {
  return {
    token: getAddress(payment.token),
    payer: getAddress(payment.payer),
    paymentToken: getAddress(payment.paymentToken),
    amount: rawToDecimal(payment.amountRaw, payment.decimals),
    timestamp: payment.timestampSeconds,
    expiresAt: payment.expiresAtSeconds,
    transaction: { id: payment.txHash },
  }
}

/** A chart as `/api/tokens/{address}/chart` has it: US dollars, unix seconds. `reason` says why there are no points. */
export function toWireChart({ points, candles, reason }: Chart, withCandles: boolean): WireChart {
  return {
    points: toWirePoints(points),
    ...(withCandles
      ? {
          candles: candles.map(({ atSeconds, open, high, low, close, volumeUsdE18 }) => ({
            time: atSeconds,
            open: e18ToNumber(open),
            high: e18ToNumber(high),
            low: e18ToNumber(low),
            close: e18ToNumber(close),
            volumeUsd: e18ToNumber(volumeUsdE18),
          })),
        }
      : {}),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** Prices over time: unix seconds, US dollars. */
export function toWirePoints(samples: readonly Sample<bigint>[]): WireChart['points'] {
  return samples.map(({ atSeconds, value }) => ({ time: atSeconds, price: e18ToNumber(value) }))
}

/** x 10^18 as a JSON number; null where there is none. */
export function toNumber(valueE18: bigint | undefined): number | null {
  return valueE18 === undefined ? null : e18ToNumber(valueE18)
}
