import type { WireToken } from '@chainboard/core'
import { memo } from 'react'
import { aboveCard, wholeCard } from '../../ui/cardStyles.ts'
import { Delta } from '../../ui/Delta.tsx'
import { Seal } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { BoostMark } from './BoostMark.tsx'
import { useLiveToken } from './liveTokens.ts'
import { nameMark } from './nameFocus.ts'
import type { PriceMode } from './priceMode.ts'
import { StarButton } from './StarButton.tsx'
import type { TokenOpeners } from './TokenActions.tsx'
import { TokenMark } from './TokenMark.tsx'
import { PriceAge, TokenPrice } from './TokenPrice.tsx'
import { toTokenText } from './tokenText.ts'

export const cardLook = 'relative grid h-16 grid-cols-[40px_minmax(0,1fr)_auto_32px] items-center gap-x-3 border-line border-b'

type Props = { readonly token: WireToken; readonly mode: PriceMode; readonly openers: TokenOpeners }

/** One token on a phone in two lines; a tap opens its details, where the rest is. */
export const TokenCard = memo(function TokenCard({ token: listed, mode, openers }: Props) {
  const token = useLiveToken(listed)
  const { name, symbol } = toTokenText(token)
  return (
    <li className={cardLook} onPointerEnter={openers.onIntent} onFocus={openers.onIntent}>
      <TokenMark token={token} size={40} />
      <button
        type="button"
        {...nameMark}
        onClick={() => openers.onDetails(token.address)}
        className={`${wholeCard} min-w-0 scroll-mt-18 rounded-6 text-left`}
      >
        <span className="flex items-center gap-1 text-16 font-strong">
          <bdi className="truncate">{symbol}</bdi>
          {token.verified && <Seal label="Verified" size={15} />}
        </span>
        <span className="flex gap-1.5 overflow-hidden text-left text-13">
          <bdi className="min-w-8 truncate text-ink-2">{name}</bdi>
          <span className="flex shrink-0">
            <BoostMark token={token} />
          </span>
        </span>
      </button>
      <span className={`${aboveCard} figures flex min-w-0 flex-col items-end`}>
        <span className="flex max-w-full items-baseline gap-2 text-16">
          <PriceAge token={token} />
          <TokenPrice token={token} mode={mode} age="elsewhere" />
        </span>
        {token.priceStatus !== 'unpriced' && (
          <span className="text-13">
            <Delta percent={token.priceChange24h} muted={token.priceStatus === 'stale'} />
          </span>
        )}
      </span>
      <StarButton
        symbol={symbol}
        starred={openers.isStarred(token.address)}
        onStar={() => openers.onStar(token.address)}
        className="relative z-1 -ml-1.5 text-ink-3!"
      />
    </li>
  )
})

/** A card that is still being read, with the geometry of {@link TokenCard}. */
export function TokenCardSkeleton() {
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
    </li>
  )
}
