import type { WireToken } from '@chainboard/contract'
import { formatRemaining } from '@chainboard/core'
import { Icon } from '../ui/Icon.tsx'

/** How long a token's boost lasts, as the server last said it: `23h 5m left`; `undefined` for a token without one. */
export function describeBoost({ boostInfo }: WireToken): string | undefined {
  if (!boostInfo?.isBoosted) return undefined
  const { remainingHours, remainingMinutes } = boostInfo
  return `${formatRemaining(Math.max(1, remainingHours * 3_600 + remainingMinutes * 60))} left`
}

/** Says of a boosted token, wherever it stands by its own merit, that somebody pays for it to stand elsewhere, too. */
export function BoostMark({ token }: { readonly token: WireToken }) {
  const left = describeBoost(token)
  if (!left) return null
  return (
    <span title={`Boosted, paid, ${left}`} className="inline-flex min-w-11 shrink-9999 items-center gap-1 text-boost">
      <Icon name="bolt" size={12} />
      {/* Both words stand in one line, or the second one alone: the first is wrapped out of sight. */}
      <span className="flex h-[1lh] min-w-7 flex-wrap-reverse content-end gap-x-[0.3em] overflow-hidden whitespace-nowrap">
        <span>Boosted · </span>
        <span>Paid</span>
      </span>
      <span className="sr-only">, {left}</span>
    </span>
  )
}
