import { outlinedControl } from './buttonStyles.ts'

type Props = { readonly text: string; readonly busy: boolean; readonly onRetry: () => void }

/** What went wrong in place of what should be here, and the way to ask again. */
export function FailureNote({ text, busy, onRetry }: Props) {
  return (
    <div
      role="alert"
      className="flex max-h-120 min-h-70 flex-1 flex-col items-center justify-center gap-4 px-6 py-16 text-center"
    >
      <p className="max-w-100 text-14 text-down">{text}</p>
      <button type="button" onClick={onRetry} disabled={busy} className={`${outlinedControl} min-w-28 touch:h-11`}>
        {busy ? 'Trying…' : 'Try Again'}
      </button>
    </div>
  )
}
