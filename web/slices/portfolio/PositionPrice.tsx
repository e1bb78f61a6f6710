import { formatUsdPrice, noValue } from '@chainboard/core'
import { PriceAge } from '../../token/TokenPrice.tsx'
import { FlashText } from '../../ui/FlashText.tsx'
import type { Position } from './valueWallet.ts'

/** US dollars per token: N/A when nobody has a price, dimmed with its age when it is an old one. */
export function PositionPrice({ token }: { readonly token: Position['token'] }) {
  if (!token || token.priceStatus === 'unpriced') return <span className="text-ink-3">{noValue}</span>
  const text = formatUsdPrice(token.priceInUsd)
  if (token.priceStatus === 'priced') return <FlashText figure={token.priceInUsd} text={text} />
  return (
    <span className="inline-flex flex-col items-end">
      <span className="text-ink-3">{text}</span>
      <PriceAge token={token} />
    </span>
  )
}
