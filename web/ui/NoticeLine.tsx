import { createPortal } from 'react-dom'
import { Icon } from './Icon.tsx'

type Props = {
  readonly notice: { readonly id: number; readonly text: string; readonly tone: 'done' | 'note' } | undefined
}

/**
 * One short line at the foot of the screen. The region stays in the page, so that a change in it is read out; it stands in the
 * body, above an open modal, and its aria-live keeps the modal from silencing it.
 */
export function NoticeLine({ notice }: Props) {
  return createPortal(
    <div
      role="status"
      aria-live="polite"
      className="print:hidden pointer-events-none fixed inset-x-4 bottom-6 z-60 flex justify-center"
    >
      {notice && (
        <p
          key={notice.id}
          className="appear flex items-center gap-2 rounded-8 border border-line-strong bg-surface-3 px-4 py-2.5 text-13 font-strong text-ink"
        >
          <span className={notice.tone === 'done' ? 'text-up' : 'text-ink-2'}>
            <Icon name={notice.tone === 'done' ? 'check' : 'info'} size={16} />
          </span>
          {notice.text}
        </p>
      )}
    </div>,
    document.body,
  )
}
