import { formatUsdPrice, noValue } from '@chainboard/core'
import { safeImageUrl } from '../../lib/safeUrl.ts'
import { PriceAge } from '../../token/TokenPrice.tsx'
import { FlashText } from '../../ui/FlashText.tsx'
import { Mark } from '../../ui/Mark.tsx'
import type { PositionText } from './describePosition.ts'
import type { Position } from './valueWallet.ts'

/** The logo of the token, or its initials. The coin has that of the wrapped one. */
export function PositionMark({
  position,
  text,
  size,
}: {
  readonly position: Position
  readonly text: PositionText
  readonly size: number
}) {
  const { token, tokenAddress } = position
  const initials = text.symbol.startsWith('0x') ? text.name : text.symbol
  return (
    <Mark src={safeImageUrl(token?.logo, location.origin)} seed={token?.address ?? tokenAddress} text={initials} size={size} />
  )
}

/** A long name is cut, and that it is staked is not. */
export function PositionName({ text }: { readonly text: PositionText }) {
  return (
    <span title={text.name + text.suffix} className="flex font-strong text-ink">
      <bdi className="truncate">{text.name}</bdi>
      {text.suffix && <span className="shrink-0 whitespace-pre">{text.suffix}</span>}
    </span>
  )
}

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
