import type { WireToken } from '@chainboard/contract'
import { formatMoney, noValue } from '@chainboard/core'
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

const cardLook = 'relative grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-2.5 border-line border-b pt-2.5 pb-1'
/** The icon of the last one stands at the edge, where the price ends. */
const actionsLook = 'relative z-1 -mr-3 flex h-11 items-center *:text-ink-3'

type Props = { readonly token: WireToken; readonly mode: PriceMode; readonly openers: TokenOpeners }

/** A token of a visitor's list on a phone, with all that {@link ListedRow} has of it. A tap beside the buttons opens the details. */
export const ListedCard = memo(function ListedCard({ token: listed, mode, openers }: Props) {
  const token = useLiveToken(listed)
  const { symbol } = toTokenText(token)
  const unpriced = token.priceStatus === 'unpriced'
  const stale = token.priceStatus === 'stale'
  return (
    <li className={cardLook} onPointerEnter={openers.onIntent} onFocus={openers.onIntent}>
      <TokenMark token={token} size={40} />
      <CardName token={token} onDetails={openers.onDetails} />
      <CardPrice token={token} mode={mode} />
      <span className={`figures col-start-2 text-13 ${stale || unpriced ? 'text-ink-3' : 'text-ink'}`}>
        <span className="text-12 text-ink-3">Market Cap </span>
        {unpriced ? noValue : formatMoney(token.fdmc)}
      </span>
      <fieldset aria-label={`Actions for ${symbol}`} className={actionsLook}>
        <StarButton symbol={symbol} starred onStar={() => openers.onStar(token.address)} />
        <IconButton icon="chart" label={`Price chart of ${symbol}`} onClick={() => openers.onChart(token.address)} />
        <IconButton icon="swap" label={`Recent swaps of ${symbol}`} onClick={() => openers.onSwaps(token.address)} />
      </fieldset>
    </li>
  )
})

/** A card that is still being read. */
export function ListedCardSkeleton() {
  return (
    <li className={cardLook}>
      <span className="skeleton size-10 rounded-full!" />
      <span className="flex h-11 flex-col justify-center gap-2">
        <Skeleton width={64} />
        <Skeleton width={104} height={10} />
      </span>
      <span className="flex flex-col items-end gap-2">
        <Skeleton width={72} />
        <Skeleton width={56} height={10} />
      </span>
      <span className="col-start-2 flex h-11 items-center">
        <Skeleton width={112} height={10} />
      </span>
    </li>
  )
}
