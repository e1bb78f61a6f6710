import { toLiquidityLock, type WireToken } from '@chainboard/core'
import { Icon } from '../../ui/Icon.tsx'

function formatDate(atSeconds: number): string {
  return new Date(atSeconds * 1000).toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
}

/** `Locked until Mar 1, 2031`, `Unlocked`, or `undefined` when the list names no lock. */
export function describeLock(token: WireToken): string | undefined {
  const lock = toLiquidityLock(token.lockTimer, Date.now() / 1000)
  if (lock.kind === 'none') return undefined
  return lock.kind === 'locked' ? `Locked until ${formatDate(lock.untilSeconds)}` : 'Unlocked'
}

/** The lock of a token's liquidity as an icon that says its state. */
export function LockMark({ token }: { readonly token: WireToken }) {
  const text = describeLock(token)
  if (!text) return <span className="sr-only">No lock known</span>
  const locked = text !== 'Unlocked'
  return (
    <span title={text} className={`flex justify-center ${locked ? 'text-ink-2' : 'text-warn'}`}>
      <Icon name={locked ? 'locked' : 'unlocked'} size={16} />
      <span className="sr-only">{text}</span>
    </span>
  )
}
