import type { WireToken } from '@chainboard/contract'
import { formatRemaining, toBoostBarPercent, toBoostMultiplier } from '@chainboard/core'
import { memo } from 'react'
import { useChainNow } from '../../lib/chainClock.ts'
import type { PriceMode } from '../../token/priceMode.ts'
import { TokenMark } from '../../token/TokenMark.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { WarningMark } from '../../token/WarningMark.tsx'
import { wholeCard } from '../../ui/cardStyles.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { TokenOpeners } from './TokenActions.tsx'
import { TokenFigures, tokenFiguresLook } from './TokenFigures.tsx'

const cardLook =
  'relative flex h-44 w-76 max-w-[86vw] flex-col gap-2 rounded-14 border border-line bg-surface-1 px-4 py-3.5 print:h-auto'
const headLook = 'flex h-10 items-start gap-3'
const badgeLook = 'rounded-6 px-1.5 text-12 font-strong whitespace-nowrap'

type Props = { readonly token: WireToken; readonly mode: PriceMode; readonly openers: TokenOpeners }

/** A token that somebody has paid for to stand here. The whole card opens its details. */
export const BoostedCard = memo(function BoostedCard({ token, mode, openers }: Props) {
  const { name, symbol } = toTokenText(token)
  const expiresAt = token.boostInfo?.expirationTime ?? 0
  return (
    <li
      onPointerEnter={openers.onIntent}
      onFocus={openers.onIntent}
      className={`${cardLook} transition-colors duration-120 hover:border-line-strong`}
    >
      <div className={headLook}>
        <TokenMark token={token} size={36} />
        <button
          type="button"
          title={name}
          onClick={() => openers.onDetails(token.address)}
          className={`${wholeCard} printed flex min-w-0 flex-1 flex-col rounded-6 text-left`}
        >
          <span className="flex max-w-full items-center gap-1 text-14 font-strong">
            <bdi className="truncate">{name}</bdi>
            <WarningMark token={token} />
          </span>
          <bdi className="max-w-full truncate text-12 text-ink-2">{symbol}</bdi>
        </button>
        <Badges expiresAt={expiresAt} />
      </div>
      <TokenFigures token={token} mode={mode} />
      <TimeLeft expiresAt={expiresAt} symbol={symbol} />
    </li>
  )
})

/** A new block's time may be later than ours: a day that was just paid is one day. */
const blockAheadSeconds = 15

function Badges({ expiresAt }: { readonly expiresAt: number }) {
  const multiplier = toBoostMultiplier(expiresAt - useChainNow() - blockAheadSeconds)
  return (
    <div className="flex shrink-0 flex-col items-end gap-1">
      <span className={`${badgeLook} bg-boost text-ground`}>BOOSTED</span>
      {multiplier > 1 && <span className={`${badgeLook} figures border border-boost/50 text-boost`}>{multiplier}x BOOST</span>}
    </div>
  )
}

function TimeLeft({ expiresAt, symbol }: { readonly expiresAt: number; readonly symbol: string }) {
  const left = expiresAt - useChainNow()
  const text = formatRemaining(left)
  return (
    <div className="mt-auto">
      <p className="flex items-baseline justify-between gap-3 text-12">
        <span className="text-ink-3">Time Remaining</span>
        <span className="figures text-13 font-strong">{text}</span>
      </p>
      <div className="mt-1 flex items-center gap-3 text-boost">
        <ProgressBar percent={toBoostBarPercent(left)} label={`Time left of the boost of ${symbol}`} text={text} />
        <span className="text-12 font-strong">Paid</span>
      </div>
    </div>
  )
}

/** A card that is still being read, with the geometry of {@link BoostedCard}. */
export function BoostedCardSkeleton() {
  return (
    <li className={cardLook}>
      <div className={headLook}>
        <span className="skeleton size-9 shrink-0 rounded-full!" />
        <span className="flex h-9 flex-1 flex-col justify-center gap-2">
          <Skeleton width={104} />
          <Skeleton width={48} height={10} />
        </span>
        <Skeleton width={72} height={16} />
      </div>
      <div className={tokenFiguresLook}>
        {[72, 56, 64].map((width) => (
          <span key={width} className="flex h-9 flex-col justify-center gap-2">
            <Skeleton width={48} height={10} />
            <Skeleton width={width} />
          </span>
        ))}
      </div>
      <span className="mt-auto flex h-9 flex-col justify-between">
        <span className="flex justify-between">
          <Skeleton width={88} height={10} />
          <Skeleton width={48} height={12} />
        </span>
        <Skeleton width="100%" height={4} />
      </span>
    </li>
  )
}
