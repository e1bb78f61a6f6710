import type { WireApiKey } from '@chainboard/contract'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { describeOwner } from './describeKey.ts'

/** What can be done with a key. */
export type KeyOpeners = {
  readonly onEdit: (key: WireApiKey) => void
  readonly onToggle: (key: WireApiKey) => void
  readonly onDelete: (key: WireApiKey) => void
}

type Props = {
  readonly apiKey: WireApiKey
  readonly openers: KeyOpeners
  /** Record id of the key that is being paused or resumed. */
  readonly busyId: string | undefined
}

export function KeyActions({ apiKey, openers, busyId }: Props) {
  const owner = <span className="sr-only"> {`${describeOwner(apiKey)}, ${apiKey.id}`}</span>
  const control = `${outlinedControl} h-8 px-2.5! touch:h-11 disabled:opacity-50`
  const paused = apiKey.status !== 'active'
  return (
    <div className="flex gap-1.5 max-desk:*:flex-1 desk:justify-end">
      <button type="button" onClick={() => openers.onEdit(apiKey)} className={control}>
        Edit
        {owner}
      </button>
      <button
        type="button"
        aria-busy={busyId === apiKey.fullId}
        onClick={() => openers.onToggle(apiKey)}
        className={`${control} min-w-19`}
      >
        {paused ? 'Resume' : 'Pause'}
        {owner}
      </button>
      <button type="button" onClick={() => openers.onDelete(apiKey)} className={`${control} text-down! hover:border-down`}>
        Delete
        {owner}
      </button>
    </div>
  )
}
