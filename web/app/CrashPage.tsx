import type { Retry } from '../ui/Boundary.tsx'
import { filledControl } from '../ui/buttonStyles.ts'
import { EmptyNote } from '../ui/EmptyNote.tsx'

type Props = Retry & { readonly isMissing: boolean }

/** In place of a page that broke, which is a fault of ours, or whose code did not arrive. */
export function CrashPage({ isMissing, busy, onRetry }: Props) {
  return (
    <div role="alert">
      <EmptyNote title={isMissing ? 'This page did not load' : 'This page stopped working'}>
        {!isMissing && <p className="mb-5">Reloading usually helps.</p>}
        <button type="button" onClick={onRetry} disabled={busy} className={filledControl}>
          {isMissing ? 'Try Again' : 'Reload'}
        </button>
      </EmptyNote>
    </div>
  )
}
