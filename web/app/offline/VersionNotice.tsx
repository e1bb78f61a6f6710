import { createRoot } from 'react-dom/client'
import { outlinedControl } from '../../ui/buttonStyles.ts'

/** Beside the page, and there until it is reloaded: whoever is busy decides when. */
export function showVersionNotice(): void {
  createRoot(document.body.appendChild(document.createElement('div'))).render(
    <div
      role="status"
      className="print:hidden fixed inset-x-4 bottom-6 z-60 mx-auto flex w-fit items-center gap-4 rounded-8 border border-line-strong bg-surface-3 p-3 pl-4 text-13"
    >
      A new version is ready.
      <button type="button" onClick={() => location.reload()} className={outlinedControl}>
        Reload
      </button>
    </div>,
  )
}
