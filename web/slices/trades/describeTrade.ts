import type { WireConfig, WireFeedSwap } from '@chainboard/contract'
import { formatAmount, formatMoney, formatUsdPrice, noValue, shortenAddress, toDisplayText } from '@chainboard/core'
import { formatMoment } from '../../lib/formatMoment.ts'
import { fillTemplate } from '../../lib/urls.ts'

/** A swap in words and figures. With a token it is seen from that one: bought or sold. */
export type TradeText = {
  readonly side: 'Buy' | 'Sell' | undefined
  /** What was given and what was got; seen from a token, the token's amount comes first. */
  readonly first: Amount
  readonly second: Amount
  /** US dollars per whole token of the one it is seen from: `$0.81`. */
  readonly price: string | undefined
  readonly value: string
  readonly wallet: string
  readonly absoluteTime: string
  readonly txUrl: string | undefined
}

export type Amount = { readonly figure: string; readonly symbol: string }

type Leg = WireFeedSwap['sold']

/** Dust is not nothing. */
const smallest = 0.01
/** From here on fewer digits say as much. */
const longAmount = 1e6
const centsBelow = 1e6

function toAmount({ amount, symbol, address }: Leg): Amount {
  return { figure: formatTokens(amount), symbol: toDisplayText(symbol, shortenAddress(address), 12) }
}

function formatTokens(amount: string | null): string {
  const value = amount === null ? Number.NaN : Number(amount)
  if (!Number.isFinite(value)) return noValue
  if (value > 0 && value < smallest) return Number(value.toPrecision(3)) < 1e-9 ? '<0.000000001' : toSmallText(value)
  return value >= longAmount ? formatMoney(value).replace('$', '') : formatAmount(value)
}

/** Three digits that say something, without an exponent: `0.000574`. */
const toSmallText = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 }).format

function formatValue(usd: number | null): string {
  if (usd !== null && usd > 0 && usd < smallest) return `<$${smallest}`
  return usd !== null && usd >= 1 && usd < centsBelow ? formatUsdPrice(usd) : formatMoney(usd)
}

export type Seen = {
  /** Address of the token that it is seen from; undefined: as it is. */
  readonly token: string | undefined
  readonly explorer: WireConfig['explorer']
  /** Nobody knows yet where the reader is. */
  readonly inUtc: boolean
}

export function describeTrade(swap: WireFeedSwap, { token, explorer, inUtc }: Seen): TradeText {
  const { sold, bought, usdValue } = swap
  const isBuy = token !== undefined && bought.address === token.toLowerCase()
  const own = isBuy ? bought : sold
  const other = isBuy ? sold : bought
  const amount = Number(own.amount ?? 'NaN')
  return {
    side: token === undefined ? undefined : isBuy ? 'Buy' : 'Sell',
    first: toAmount(token === undefined ? sold : own),
    second: toAmount(token === undefined ? bought : other),
    price: token === undefined || usdValue === null || !(amount > 0) ? undefined : formatUsdPrice(usdValue / amount),
    value: formatValue(usdValue),
    wallet: shortenAddress(toDisplayText(swap.recipient, noValue, 66)),
    absoluteTime: formatMoment(swap.timestamp, 'medium', inUtc),
    txUrl: explorer ? fillTemplate(explorer.txUrl, swap.transaction.id) : undefined,
  }
}
