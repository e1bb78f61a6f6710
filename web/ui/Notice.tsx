import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

const tones = { note: 'text-ink-2', boost: 'text-boost', warn: 'text-warn', fail: 'text-down' } as const

type Props = {
  readonly icon: IconName
  readonly tone: keyof typeof tones
  readonly title?: string
  /** Read out as soon as it appears. */
  readonly urgent?: boolean
  readonly children?: ReactNode
}

/** Something to know before one goes on: what it is, and what follows from it. */
export function Notice({ icon, tone, title, urgent, children }: Props) {
  return (
    <div role={urgent ? 'alert' : undefined} className="flex gap-3 rounded-8 bg-surface-2 px-3.5 py-3 text-13">
      <span className={`mt-0.5 ${tones[tone]}`}>
        <Icon name={icon} size={16} />
      </span>
      <div className="min-w-0 flex-1 text-ink-2 wrap-anywhere">
        {title && <p className="font-strong text-ink">{title}</p>}
        {children}
      </div>
    </div>
  )
}
