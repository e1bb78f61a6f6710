import type { WireToken } from '@chainboard/contract'
import { memo } from 'react'
import { CardName } from '../../token/CardName.tsx'
import { CardPrice } from '../../token/CardPrice.tsx'
import { useLiveToken } from '../../token/liveTokens.ts'
import type { PriceMode } from '../../token/priceMode.ts'
import { TokenMark } from '../../token/TokenMark.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StarButton } from './StarButton.tsx'
import type { TokenOpeners } from './TokenActions.tsx'

export const cardLook = 'relative grid h-16 grid-cols-[40px_minmax(0,1fr)_auto_auto] items-center gap-x-2.5 border-line border-b'
/** Targets of 44 px whose icons stand 32 px apart from what is beside them. */
export const cardActionsLook = 'relative z-1 flex touch:-mx-1.5 *:text-ink-3'

type Props = { readonly token: WireToken; readonly mode: PriceMode; readonly openers: TokenOpeners }

/** One token on a phone in two lines; a tap opens its details, where the rest is of what one can do with it. */
export const TokenCard = memo(function TokenCard({ token: listed, mode, openers }: Props) {
  const token = useLiveToken(listed)
  const { symbol } = toTokenText(token)
  const { onBoost } = openers
  return (
    <li className={cardLook} onPointerEnter={openers.onIntent} onFocus={openers.onIntent}>
      <TokenMark token={token} size={40} />
      <CardName token={token} onDetails={openers.onDetails} />
      <CardPrice token={token} mode={mode} />
      <span className={cardActionsLook}>
        <StarButton symbol={symbol} starred={openers.isStarred(token.address)} onStar={() => openers.onStar(token.address)} />
        {onBoost && <IconButton icon="bolt" label={`Boost ${symbol}`} onClick={() => onBoost(token.address)} />}
      </span>
    </li>
  )
})

/** A card that is still being read, with the geometry of {@link TokenCard}; `boost`: with room for that button. */
export function TokenCardSkeleton({ boost = false }: { readonly boost?: boolean }) {
  return (
    <li className={cardLook}>
      <span className="skeleton size-10 rounded-full!" />
      <span className="flex flex-col gap-2">
        <Skeleton width={64} />
        <Skeleton width={104} height={10} />
      </span>
      <span className="flex flex-col items-end gap-2">
        <Skeleton width={72} />
        <Skeleton width={56} height={10} />
      </span>
      <span className={boost ? 'w-16 touch:w-19' : 'w-8'} />
    </li>
  )
}
