import { formatRelativeTime, toDisplayText } from '@chainboard/core'
import type { ReactNode } from 'react'
import { useNow } from '../../../lib/useNow.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'

/** A passkey or a wallet in its list. Times in unix seconds. */
export type ListedMethod = {
  readonly key: string
  readonly name: string
  /** What tells it from others of its name. */
  readonly detail: string | undefined
  readonly linkedAt: number
  readonly lastUsedAt: number | null
}

type Props = {
  readonly label: string
  readonly methods: readonly ListedMethod[]
  readonly blocked: boolean
  readonly onRemove: (method: ListedMethod) => void
  /** What stands under one that is about to be removed. */
  readonly removal: (method: ListedMethod) => ReactNode
}

const nameCharsMax = 40

/** What is linked, by name, with when it was last used. */
export function MethodList({ label, methods, blocked, onRemove, removal }: Props) {
  const now = useNow()
  if (methods.length === 0) return null
  return (
    <ul aria-label={label} className="mb-3 flex max-w-120 flex-col gap-2">
      {methods.map((method) => {
        const name = toDisplayText(method.name, label, nameCharsMax)
        const used = method.lastUsedAt === null ? 'Never used' : `Last used ${formatRelativeTime(method.lastUsedAt, now)}`
        return (
          <li key={method.key}>
            <div className="flex items-center gap-3 rounded-8 border border-line py-1.5 pr-1.5 pl-3">
              <span className="text-ink-2">
                <Icon name={method.detail === undefined ? 'key' : 'wallet'} size={16} />
              </span>
              <p className="min-w-0 flex-1">
                <span className="flex items-baseline gap-2 text-13 font-strong text-ink">
                  <bdi className="truncate">{name}</bdi>
                  {method.detail && <span className="figures font-mono text-12 font-normal text-ink-2">{method.detail}</span>}
                </span>
                <span className="block text-12 text-ink-2">
                  {used} · added {formatRelativeTime(method.linkedAt, now)}
                </span>
              </p>
              <IconButton
                icon="close"
                iconSize={16}
                label={`Remove ${name}`}
                disabled={blocked}
                onClick={() => onRemove({ ...method, name })}
              />
            </div>
            <div className="not-empty:mt-2">{removal({ ...method, name })}</div>
          </li>
        )
      })}
    </ul>
  )
}
