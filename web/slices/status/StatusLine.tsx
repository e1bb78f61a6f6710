import type { ReactNode } from 'react'
import { useHydrated } from '../../lib/hydration.tsx'
import { useNow } from '../../lib/useNow.ts'
import { describeStatus } from './describeStatus.ts'
import { useStatus } from './useStatus.ts'

const dots = { live: 'bg-up', busy: 'bg-ink-3', warn: 'bg-warn', lost: 'bg-warn' } as const

type Props = {
  /** Shown instead of height and age while all is well. */
  readonly whenLive?: ReactNode
  /** Shown instead of the words for a server that has fallen silent. */
  readonly whenLost?: ReactNode
}

/** The state of the data in one line: height and age, or in amber what is wrong and since when. */
export function StatusLine({ whenLive, whenLost }: Props) {
  const { data, failing, dataUpdatedAt } = useStatus()
  const nowSeconds = useNow()
  const inUtc = !useHydrated()
  const described = describeStatus({ report: data, receivedAtSeconds: dataUpdatedAt / 1000, failing, nowSeconds, inUtc })
  const tone = described?.tone ?? 'busy'
  if (whenLost !== undefined && tone === 'lost' && data) return whenLost
  if (whenLive !== undefined && (described === undefined || tone === 'live')) return whenLive
  return (
    <span
      data-now=""
      className={`figures flex items-baseline gap-2 ${tone === 'warn' || tone === 'lost' ? 'text-warn' : 'text-ink-2'}`}
    >
      <span aria-hidden="true" className={`size-1.5 shrink-0 -translate-y-0.5 rounded-full ${dots[tone]}`} />
      {described?.text ?? 'Contacting the server.'}
    </span>
  )
}
