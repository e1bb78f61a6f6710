import { formatRemaining, toBoostBarPercent, toBoostMultiplier } from '@chainboard/core'
import { useChainNow } from '../../lib/chainClock.ts'
import { toTokenText } from '../../token/tokenText.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { bars, type CardPart } from './cardParts.tsx'

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
  skeleton: bars('flex h-9 w-22 flex-col justify-center gap-2', [80, 10], [64, 12]),
}

function Badges({ endsAt }: { readonly endsAt: number }) {
  const multiplier = toBoostMultiplier(endsAt - useChainNow() - blockAheadSeconds)
  return (
    <div className="flex shrink-0 items-center gap-1">
      <span className={`${badgeLook} bg-boost text-ground`}>BOOSTED</span>
      {multiplier > 1 && <span className={`${badgeLook} figures border border-boost/50 text-boost`}>{multiplier}x BOOST</span>}
    </div>
  )
}

function TimeLeft({ endsAt, symbol }: { readonly endsAt: number; readonly symbol: string }) {
  const left = endsAt - useChainNow()
  const text = formatRemaining(left)
  return (
    <div className="text-12">
      <p className="text-ink-3">Time Remaining</p>
      <p className="figures flex items-baseline justify-between gap-2 text-13 leading-4.5">
        <span className="font-strong">{text}</span>
        <span className="text-12 font-strong text-boost">Paid</span>
      </p>
      <div className="absolute inset-x-0 bottom-0 flex text-boost">
        <ProgressBar percent={toBoostBarPercent(left)} label={`Boost time left for ${symbol}`} text={text} />
      </div>
    </div>
  )
}
