import { filledControl, outlinedControl } from '../../ui/buttonStyles.ts'

type Props = {
  readonly submitText: string
  /** In place of `submitText` while the form is being sent. */
  readonly busyText: string
  /** Whether everything is filled in. */
  readonly ready: boolean
  readonly busy: boolean
  readonly danger?: boolean | undefined
  readonly onCancel: () => void
}

/** The two buttons of a small form: the one that sends it, and Cancel. */
export function FormButtons({ submitText, busyText, ready, busy, danger, onCancel }: Props) {
  return (
    <>
      <button
        type="submit"
        disabled={!ready || busy}
        className={`${danger ? dangerControl : filledControl} h-10 min-w-24 disabled:bg-surface-3 disabled:text-ink-3 disabled:hover:shadow-none touch:h-11`}
      >
        {busy ? busyText : submitText}
      </button>
      <button
        type="button"
        disabled={busy}
        onClick={onCancel}
        className={`${outlinedControl} h-10 disabled:text-ink-3 touch:h-11`}
      >
        Cancel
      </button>
    </>
  )
}

const dangerControl =
  'inline-flex items-center justify-center rounded-8 border border-down px-4 text-14 font-strong text-down transition-colors duration-120 hover:bg-surface-2 disabled:border-transparent'
