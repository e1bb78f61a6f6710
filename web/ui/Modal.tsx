import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { quietControl } from './buttonStyles.ts'
import { Icon } from './Icon.tsx'

type Props = {
  readonly open: boolean
  readonly onClose: () => void
  /** After the last frame of closing. */
  readonly onClosed: () => void
  /** Small picture before the title. */
  readonly mark?: ReactNode
  readonly title: ReactNode
  readonly footer?: ReactNode
  /** Its height, whatever is inside, so that nothing moves while things arrive: `low` and `tall`; a sheet of nearly the whole phone. */
  readonly size: 'fit' | 'low' | 'tall'
  readonly children: ReactNode
}

const heights = { fit: '', low: 'h-[92dvh] tablet:h-150', tall: 'h-[92dvh] tablet:h-190' } as const

/** Closes on Escape, outside click and its button; holds the focus and gives it back; the page behind stands still. A sheet on phones. */
export function Modal({ open, onClose, onClosed, mark, title, footer, size, children }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()} onOpenChangeComplete={(next) => !next && onClosed()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="modal-backdrop fixed inset-0 z-40 bg-shade" />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-end justify-center tablet:items-center tablet:p-6">
          <Dialog.Popup
            ref={popup}
            initialFocus={popup}
            className={`modal-popup flex max-h-[92dvh] w-full max-w-220 flex-col overflow-hidden border-line-strong bg-surface-1 outline-none max-tablet:rounded-t-14 max-tablet:border-t tablet:max-h-full tablet:rounded-14 tablet:border ${heights[size]}`}
          >
            <header className="flex items-center gap-3 border-line border-b py-3 pr-3 pl-5">
              {mark}
              <Dialog.Title className="min-w-0 flex-1 truncate text-16 font-strong text-ink">{title}</Dialog.Title>
              <Dialog.Close aria-label="Close" title="Close" className={`${quietControl} size-9 shrink-0 touch:size-11`}>
                <Icon name="close" size={18} />
              </Dialog.Close>
            </header>
            <div className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain">{children}</div>
            {footer && <footer className="border-line border-t px-5 py-3">{footer}</footer>}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
