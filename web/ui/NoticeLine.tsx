import { createPortal } from 'react-dom'
import { Icon } from './Icon.tsx'

/**
 * One short line at the foot of the screen. The region stays in the page, so that a change in it is read out; it stands in the
 * body, above an open modal, and its aria-live keeps the modal from silencing it.
 */
export function NoticeLine({ notice }: { readonly notice: { readonly id: number; readonly text: string } | undefined }) {
  return createPortal(
    <div role="status" aria-live="polite" className="pointer-events-none fixed inset-x-4 bottom-6 z-60 flex justify-center">
      {notice && (
        <p
          key={notice.id}
          className="appear flex items-center gap-2 rounded-8 border border-line-strong bg-surface-3 px-4 py-2.5 text-13 font-strong text-ink"
        >
          <span className="text-up">
            <Icon name="check" size={16} />
          </span>
          {notice.text}
        </p>
      )}
    </div>,
    document.body,
  )
}
