import {
  type Address,
  formatAmount,
  formatPrice,
  rawToNumber,
  shortenAddress,
  toDisplayText,
  type WireWarning,
} from '@chainboard/core'
import type { Sale } from './simulateSale.ts'

/** Parts of 10,000 that may be missing: some tokens round. */
const missingMax = 10n

type Sold = { readonly symbol: string; readonly decimals: number; readonly pool: Address }

/** What a simulated sale warns of; empty when all that was sent arrived. Pure. */
export function describeSale(sale: Sale, { symbol, decimals, pool }: Sold): WireWarning[] {
  const toText = (raw: bigint) => toAmount(rawToNumber(raw, decimals))
  const name = toDisplayText(symbol, 'tokens', 16)
  const evidence = `simulated at block ${sale.block} with the pool ${shortenAddress(pool)}`
  const whole = `${toText(sale.taken)} ${name}`
  if (sale.kind === 'not-taken')
    return [{ code: 'cannot-sell', text: `${whole} could not be bought: sending them fails (${evidence})` }]
  if (sale.kind === 'not-sold')
    return [{ code: 'cannot-sell', text: `${whole} were bought and could not be sold back (${evidence})` }]
  const { taken, received, returned } = sale
  const sent = received < taken ? received : taken
  const legs = [
    ...(isShort(taken, received) ? [`Of ${whole} bought ${toText(received)} arrived`] : []),
    ...(isShort(sent, returned) ? [`Of ${toText(sent)} ${name} sold ${toText(returned)} arrived`] : []),
  ]
  return legs.length === 0 ? [] : [{ code: 'sell-tax', text: `${legs.join('. ')} (${evidence})` }]
}

function isShort(sent: bigint, arrived: bigint): boolean {
  return (sent - arrived) * 10_000n > sent * missingMax
}

function toAmount(amount: number): string {
  return amount >= 1 ? formatAmount(amount) : formatPrice(amount)
}
