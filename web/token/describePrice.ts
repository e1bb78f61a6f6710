import type { WireToken } from '@chainboard/contract'
import { formatMoney, formatPrice, formatUsdPrice, noValue, toDisplayText } from '@chainboard/core'
import type { PriceMode } from './priceMode.ts'

/** A price as the table shows it. `figure` is the number behind `text`; `unit` follows it in small letters. */
export type PriceText =
  | { readonly kind: 'price'; readonly text: string; readonly figure: number; readonly unit: string | undefined }
  | { readonly kind: 'none'; readonly reason: string }

/** What the price column says about a token: the price in the chosen unit, or N/A with the reason. */
export function describePrice(token: WireToken, mode: PriceMode): PriceText {
  if (token.priceStatus === 'unpriced')
    return { kind: 'none', reason: token.priceReasons[0] ?? 'No source has a price for this token.' }
  if (mode === 'usd') {
    const text = formatUsdPrice(token.priceInUsd)
    return text === noValue
      ? { kind: 'none', reason: 'The price is not a number.' }
      : { kind: 'price', text, figure: token.priceInUsd, unit: undefined }
  }
  const text = formatPrice(token.pairPrice)
  if (token.pairPrice === 0 || text === noValue) return { kind: 'none', reason: 'This token has no pool, so no pair price.' }
  return {
    kind: 'price',
    text,
    figure: token.pairPrice,
    unit: token.pairSymbol === null ? undefined : toDisplayText(token.pairSymbol, '?', 12),
  }
}

/** What a price is held against. `cost`: of moving it by 10 %. `range` and `cost` are left out where they are not known. */
export type Trades = { readonly last: string; readonly range: string | undefined; readonly cost: string | undefined }

/** `undefined` for a price that no pool of the chain made, and for none. */
export function describeTrades({ lastPriceUsd, priceLow, priceHigh, costToMove10Percent: cost }: WireToken): Trades | undefined {
  if (lastPriceUsd === null) return undefined
  return {
    last: formatUsdPrice(lastPriceUsd),
    range:
      priceLow === null || priceHigh === null ? undefined : `range ${formatUsdPrice(priceLow)} – ${formatUsdPrice(priceHigh)}`,
    cost: cost === null ? undefined : formatMoney(cost),
  }
}

/** `12m old` for a price that could not be refreshed; `undefined` for a fresh one. */
export function describePriceAge(token: WireToken, nowSeconds: number): string | undefined {
  if (token.priceStatus !== 'stale') return undefined
  if (token.priceAsOf === null) return 'Not refreshed'
  const seconds = Math.max(0, nowSeconds - token.priceAsOf)
  if (seconds < 60) return `${Math.floor(seconds)}s old`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m old`
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)}h old`
  return `${Math.floor(seconds / 86_400)}d old`
}
