import type { WireTrader } from '@chainboard/contract'
import { formatMoney } from '@chainboard/core'

/** `total`: as the server lists them, by all that they bought and sold. */
export type TraderSort = 'total' | 'bought' | 'sold' | 'net'

/** Those with the largest figure first. For `net` those that bought or sold most beyond the other side. Pure. */
export function sortTraders(traders: readonly WireTrader[], sort: TraderSort): readonly WireTrader[] {
  if (sort === 'total') return traders
  const figure = ({ boughtUsd, soldUsd }: WireTrader): number => {
    if (sort === 'net') return Math.abs(boughtUsd - soldUsd)
    return sort === 'bought' ? boughtUsd : soldUsd
  }
  return traders.toSorted((a, b) => figure(b) - figure(a))
}

/** `+$22.74` for more bought than sold, `-$5.96` for less; what rounds to zero has no sign. */
export function formatNet(usd: number): string {
  const text = formatMoney(usd)
  return usd > 0 && text !== formatMoney(0) ? `+${text}` : text
}
