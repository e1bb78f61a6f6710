import { formatMoney, noValue, type WireToken } from '@chainboard/core'
import { memo } from 'react'
import { BoostMark } from '../slices/tokens/BoostMark.tsx'
import { GoneCard } from '../slices/tokens/ListedRow.tsx'
import { useLiveToken } from '../slices/tokens/liveTokens.ts'
import { focusBesideRow, moveBetweenNames, nameMark } from '../slices/tokens/nameFocus.ts'
import { type PriceMode, usePriceMode } from '../slices/tokens/priceMode.ts'
import { StarButton } from '../slices/tokens/StarButton.tsx'
import type { TokenOpeners } from '../slices/tokens/TokenActions.tsx'
import { TokenMark } from '../slices/tokens/TokenMark.tsx'
import { PriceAge, TokenPrice } from '../slices/tokens/TokenPrice.tsx'
import { toTokenText } from '../slices/tokens/tokenText.ts'
import { useListedTokens } from '../slices/tokens/useListedTokens.ts'
import { aboveCard, wholeCard } from '../ui/cardStyles.ts'
import { Delta } from '../ui/Delta.tsx'
import { Seal } from '../ui/Icon.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { QueryView } from '../ui/QueryView.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

const cardLook = 'relative grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-2.5 border-line border-b pt-2.5 pb-1'
const listLook = 'mt-1 border-line border-t'
/** The icon of the last one stands at the edge, where the price ends. */
const actionsLook = 'relative z-1 -mr-3 flex h-11 items-center *:text-ink-3'

type Props = { readonly label: string; readonly addresses: readonly string[]; readonly openers: TokenOpeners }

/** The watchlist on a phone: each token with all that the table has of it, in three lines. */
export function WatchlistCards({ label, addresses, openers: pageOpeners }: Props) {
  const { query, find } = useListedTokens(addresses)
  const { mode } = usePriceMode()
  const openers: TokenOpeners = {
    ...pageOpeners,
    onStar(address) {
      focusBesideRow()
      pageOpeners.onStar(address)
    },
  }
  const toCard = (address: string) => {
    const token = find(address)
    if (token === undefined) return <CardSkeleton key={address} />
    if (token === null) return <GoneCard key={address} address={address} onStar={openers.onStar} />
    return <WatchlistCard key={address} token={token} mode={mode} openers={openers} />
  }
  const list = (
    <ul aria-label={label} onKeyDown={moveBetweenNames} className={listLook}>
      {addresses.map(toCard)}
    </ul>
  )
  return (
    <QueryView
      quiet
      query={query}
      isEmpty={(tokens: readonly WireToken[]) => tokens.length === 0 && addresses.length === 0}
      failureText="Failed to load tokens. Please try again later."
      waiting={list}
      empty={() => null}
    >
      {() => list}
    </QueryView>
  )
}

type CardProps = { readonly token: WireToken; readonly mode: PriceMode; readonly openers: TokenOpeners }

/** A tap beside the buttons opens the details. */
const WatchlistCard = memo(function WatchlistCard({ token: listed, mode, openers }: CardProps) {
  const token = useLiveToken(listed)
  const { name, symbol } = toTokenText(token)
  const unpriced = token.priceStatus === 'unpriced'
  const stale = token.priceStatus === 'stale'
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
          <bdi className="min-w-6 truncate text-ink-2">{name}</bdi>
          <BoostMark token={token} />
        </span>
      </button>
      <span className={`${aboveCard} figures flex min-w-0 flex-col items-end`}>
        <span className="flex max-w-full items-baseline gap-2 text-16">
          <PriceAge token={token} />
          <TokenPrice token={token} mode={mode} age="elsewhere" />
        </span>
        <span className="text-13">
          <Delta percent={unpriced ? null : token.priceChange24h} muted={stale} />
        </span>
      </span>
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

/** Cards that are still being read. */
export function WatchlistCardsSkeleton({ rows }: { readonly rows: number }) {
  return (
    <ul className={listLook}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of bars
        <CardSkeleton key={index} />
      ))}
    </ul>
  )
}

function CardSkeleton() {
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
