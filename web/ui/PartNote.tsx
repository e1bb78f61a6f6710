import type { Retry } from './Boundary.tsx'

type Props = Retry & { readonly text: string; readonly className?: string }

/** A line in place of a part whose code did not arrive, and the way to ask again. */
export function PartNote({ text, className = '', busy, onRetry }: Props) {
  return (
    <p role="alert" className={`text-13 text-ink-2 ${className}`}>
      {text}{' '}
      <button type="button" onClick={onRetry} disabled={busy} className="font-strong text-ink underline underline-offset-4">
        {busy ? 'Trying…' : 'Try Again'}
      </button>
    </p>
  )
}
