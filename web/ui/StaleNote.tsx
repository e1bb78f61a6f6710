type Props = { readonly sinceMs: number; readonly busy: boolean; readonly onRetry: () => void }

/** Old figures stay on screen; this says how old, and offers to ask again. */
export function StaleNote({ sinceMs, busy, onRetry }: Props) {
  const since = new Date(sinceMs).toLocaleTimeString('en-GB')
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 border-line border-b px-4 py-2 text-13 text-warn">
      Couldn't refresh. These figures are from {since}.
      <button
        type="button"
        onClick={onRetry}
        disabled={busy}
        className="font-strong underline underline-offset-4 touch:-my-2 touch:min-h-11"
      >
        {busy ? 'Trying…' : 'Try Again'}
      </button>
    </p>
  )
}
