import { filledControl } from '../ui/buttonStyles.ts'
import { EmptyNote } from '../ui/EmptyNote.tsx'

/** In place of a page that broke: a fault of ours, or a part of the app that a newer version has replaced. */
export function CrashPage() {
  return (
    <div role="alert">
      <EmptyNote title="This page stopped working">
        <p className="mb-5">Reloading usually helps.</p>
        <button type="button" onClick={() => location.reload()} className={filledControl}>
          Reload
        </button>
      </EmptyNote>
    </div>
  )
}
