import type { WireKeyStatus } from '@chainboard/contract'
import { statusTexts } from './describeKey.ts'

const looks: Readonly<Record<WireKeyStatus, string>> = { active: 'text-up', paused: 'text-warn', expired: 'text-down' }

/** A word with a mark that differs in shape, not in hue alone. */
export function KeyStatus({ status }: { readonly status: WireKeyStatus }) {
  return (
    <span className={`inline-flex items-center gap-1.5 text-13 font-strong ${looks[status]}`}>
      <svg aria-hidden="true" width="8" height="8" viewBox="0 0 8 8" className="shrink-0">
        <path d={marks[status]} fill="currentColor" />
      </svg>
      {statusTexts[status]}
    </span>
  )
}

const marks: Readonly<Record<WireKeyStatus, string>> = {
  active: 'M4 0a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z',
  paused: 'M1 0h2v8H1zM5 0h2v8H5z',
  expired: 'M1 0 4 3 7 0 8 1 5 4 8 7 7 8 4 5 1 8 0 7 3 4 0 1z',
}
