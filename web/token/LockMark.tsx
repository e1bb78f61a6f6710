import type { WireToken } from '@chainboard/contract'
import { formatDate, toLiquidityLock } from '@chainboard/core'
import { Icon } from '../ui/Icon.tsx'

/** `Locked until Mar 1, 2031` (in UTC: the lock ends for everybody at once), `Unlocked`, or `undefined` when the list names no lock. */
export function describeLock(token: WireToken, nowSeconds = Date.now() / 1000): string | undefined {
  const lock = toLiquidityLock(token.lockTimer, nowSeconds)
  if (lock.kind === 'none') return undefined
  return lock.kind === 'locked' ? `Locked until ${formatDate(lock.untilSeconds)}` : 'Unlocked'
}

/** The lock of a token's liquidity as an icon that says its state: on a disc, so that it looks like none of the buttons beside it. */
export function LockMark({ token }: { readonly token: WireToken }) {
  const text = describeLock(token)
  if (!text) return <span className="sr-only">No known lock</span>
  const locked = text !== 'Unlocked'
  return (
    <span
      title={text}
      className={`mx-auto flex size-6 items-center justify-center rounded-full bg-surface-2 ${locked ? 'text-ink-2' : 'text-warn'}`}
    >
      <Icon name={locked ? 'locked' : 'unlocked'} size={13} />
      <span className="sr-only">{text}</span>
    </span>
  )
}
