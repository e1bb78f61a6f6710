import type { WireConfig } from '@chainboard/contract'
import { formatRemaining } from '@chainboard/core'
import { useLayoutEffect, useRef } from 'react'
import { useChainNow } from '../../lib/chainClock.ts'
import { filledControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { TransactionLink } from './TransactionLink.tsx'

type Props = {
  readonly symbol: string
  readonly hash: string
  /** Unix seconds; 0 while it is not known. */
  readonly boostedUntil: number
  readonly explorer: WireConfig['explorer']
  readonly onClose: () => void
}

/** What the payment came to. */
export function BoostDone({ symbol, hash, boostedUntil, explorer, onClose }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  const left = boostedUntil - useChainNow()
  // Before the dialog looks where the focus went that was on the button: it would take it for itself, a frame later.
  useLayoutEffect(() => title.current?.focus(), [])
  return (
    <div className="appear flex flex-1 flex-col items-center justify-center gap-2 px-5 py-10 text-center">
      <span className="mb-2 flex size-14 items-center justify-center rounded-full border border-boost/50 text-boost">
        <Icon name="bolt" size={26} />
      </span>
      <h3 ref={title} tabIndex={-1} className="text-20 font-strong tracking-tight outline-none">
        Boost Successful!
      </h3>
      <p className="figures text-14 text-ink-2">
        <bdi>{symbol}</bdi> is boosted{' '}
        {left > 0 ? (
          <>
            for the next <span className="whitespace-nowrap">{formatRemaining(left)}</span>
          </>
        ) : (
          'now'
        )}
        .
      </p>
      <div className="text-13 text-ink-2">
        <TransactionLink hash={hash} explorer={explorer} />
      </div>
      <button type="button" onClick={onClose} className={`${filledControl} mt-6 min-w-32 touch:h-11`}>
        Done
      </button>
    </div>
  )
}
