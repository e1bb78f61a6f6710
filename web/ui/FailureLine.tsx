type Props = { readonly text: string; readonly busy: boolean; readonly onRetry: () => void }

/** A failure of a part that the page can do without: one line in a dashed box in its place, and the way to ask again. */
export function FailureLine({ text, busy, onRetry }: Props) {
  return (
    <p
      role="alert"
      className="flex flex-1 flex-wrap content-center items-center justify-center gap-x-3 gap-y-1 rounded-14 border border-line-strong border-dashed px-4 py-2 text-center text-13 text-ink-2"
    >
      {text}
      <button
        type="button"
        onClick={onRetry}
        disabled={busy}
        className="min-h-8 font-strong text-ink underline underline-offset-4 touch:min-h-11"
      >
        {busy ? 'Trying…' : 'Try Again'}
      </button>
    </p>
  )
}
