import { formatRemaining, toBoostBarPercent, toBoostMultiplier } from '@chainboard/core'
import { useChainNow } from '../../lib/chainClock.ts'
import { toTokenText } from '../../token/tokenText.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { CardPart } from './cardParts.tsx'

const badgeLook = 'rounded-6 px-1.5 text-12 font-strong whitespace-nowrap'
/** A new block's time may be later than ours: a day that was just paid is one day. */
const blockAheadSeconds = 15

/** That the token is boosted, and how many days of a boost are left. */
export const boostBadges: CardPart = {
  key: 'badges',
  draw: ({ boostEndsAt = 0 }) => <Badges endsAt={boostEndsAt} />,
  skeleton: () => <Skeleton width={72} height={16} />,
}

/** How long the boost still lasts. */
export const boostTimeLeft: CardPart = {
  key: 'time left',
  draw: ({ token, boostEndsAt = 0 }) => <TimeLeft endsAt={boostEndsAt} symbol={toTokenText(token).symbol} />,
  skeleton: () => (
    <span className="mt-auto flex h-9 flex-col justify-between">
      <span className="flex justify-between">
        <Skeleton width={88} height={10} />
        <Skeleton width={48} height={12} />
      </span>
      <Skeleton width="100%" height={4} />
    </span>
  ),
}

function Badges({ endsAt }: { readonly endsAt: number }) {
  const multiplier = toBoostMultiplier(endsAt - useChainNow() - blockAheadSeconds)
  return (
    <div className="flex shrink-0 flex-col items-end gap-1">
      <span className={`${badgeLook} bg-boost text-ground`}>BOOSTED</span>
      {multiplier > 1 && <span className={`${badgeLook} figures border border-boost/50 text-boost`}>{multiplier}x BOOST</span>}
    </div>
  )
}

function TimeLeft({ endsAt, symbol }: { readonly endsAt: number; readonly symbol: string }) {
  const left = endsAt - useChainNow()
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
