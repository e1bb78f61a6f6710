import { safeImageUrl } from '../../lib/safeUrl.ts'
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
