import type { WireConfig, WireSwap } from '@chainboard/contract'
import { formatAmount, formatMoney, formatUsdPrice, noValue, shortenAddress, toDisplayText } from '@chainboard/core'
import { formatMoment } from '../../lib/formatMoment.ts'
import { fillTemplate } from '../../lib/urls.ts'

export type SwapText = {
  readonly type: 'Buy' | 'Sell'
  /** `1,234.5 BSLT` */
  readonly amount: string
  /** `$12.50` */
  readonly value: string
  readonly account: string
  readonly absoluteTime: string
  /** The transaction in the explorer. */
  readonly txUrl: string | undefined
}

/** Dust is not nothing. */
const smallest = 0.01
const centsBelow = 1e6

function formatTokens(amount: number, symbol: string): string {
  const text = formatAmount(amount)
  if (text === noValue) return text
  return `${amount > 0 && amount < smallest ? `<${smallest}` : text} ${symbol}`
}

/** Dollars and cents, so that a column of them can be compared, as long as they fit into one: `$1,234.50`, `$1.23M`. */
function formatValue(usd: number | null): string {
  if (usd !== null && usd > 0 && usd < smallest) return `<$${smallest}`
  return usd !== null && usd >= 1 && usd < centsBelow ? formatUsdPrice(usd) : formatMoney(usd)
}

/** One swap in words and figures. */
export function describeSwap(swap: WireSwap, symbol: string, explorer: WireConfig['explorer']): SwapText {
  return {
    type: swap.type === 'buy' ? 'Buy' : 'Sell',
    amount: formatTokens(swap.tokenAmount, toDisplayText(symbol, '?', 16)),
    value: formatValue(swap.usdValue),
    account: shortenAddress(toDisplayText(swap.recipient, noValue, 66)),
    absoluteTime: formatMoment(swap.timestamp, 'medium', false),
    txUrl: explorer ? fillTemplate(explorer.txUrl, swap.transaction.id) : undefined,
  }
}
