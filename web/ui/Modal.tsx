import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
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
  /** A quiet line under the title. */
  readonly subtitle?: ReactNode
  /** A control between the title and the closing button. */
  readonly action?: ReactNode
  readonly footer?: ReactNode
  /**
   * Its height, whatever is inside, so that nothing moves while things arrive: `low` and `tall` are wide, `card` is narrow and grows
   * when it must; a sheet of nearly the whole phone. `fit` is as high as what is inside.
   */
  readonly size: 'fit' | 'card' | 'low' | 'tall'
  /** It only shows things, and its address brings it back: the page may load itself anew behind it. */
  readonly shows?: boolean
  readonly children: ReactNode
}

const sizes = {
  fit: 'max-w-140',
  card: 'min-h-[min(92dvh,41rem)] max-w-140 tablet:min-h-[min(100%,38rem)]',
  low: 'h-[92dvh] max-w-220 tablet:h-150',
  tall: 'h-[92dvh] max-w-220 tablet:h-190',
} as const

/** Closes on Escape, outside click and its button; holds the focus and gives it back; the page behind stands still. A sheet on phones. */
export function Modal({ open, onClose, onClosed, mark, title, subtitle, action, footer, size, shows, children }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  const opener = useRef<Element>(null)
  // By then what stood in for the modal has gone, and has given the focus back.
  useLayoutEffect(() => {
    opener.current = document.activeElement
  }, [])
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()} onOpenChangeComplete={(next) => !next && onClosed()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="modal-backdrop fixed inset-0 z-40 bg-shade" />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-end justify-center tablet:items-center tablet:p-6">
          <Dialog.Popup
            ref={popup}
            data-shows={shows ? '' : undefined}
            initialFocus={popup}
            finalFocus={() => returnFocus(opener.current)}
            className={`modal-popup flex max-h-[92dvh] w-full flex-col overflow-hidden border-line-strong bg-surface-1 outline-none max-tablet:rounded-t-14 max-tablet:border-t tablet:max-h-full tablet:rounded-14 tablet:border ${sizes[size]}`}
          >
            <div className="flex min-h-15 items-center gap-3 border-line border-b py-2 pr-3 pl-5">
              {mark}
              <div className="min-w-0 flex-1">
                <Dialog.Title className="truncate text-16 font-strong text-ink">{title}</Dialog.Title>
                {subtitle && <p className="figures truncate text-13 text-ink-2">{subtitle}</p>}
              </div>
              {action}
              <Dialog.Close aria-label="Close" title="Close" className={`${quietControl} size-9 shrink-0 touch:size-11`}>
                <Icon name="close" size={18} />
              </Dialog.Close>
            </div>
            {/* A long list may have nothing to focus: the arrow keys scroll it all the same. */}
            <section
              aria-label="Content"
              tabIndex={size === 'tall' ? 0 : undefined}
              className="-outline-offset-2 flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain"
            >
              {children}
            </section>
            {footer && <div className="print:hidden border-line border-t px-5 py-3">{footer}</div>}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/**
 * The focus goes back to what had it. A modal that was there with the page, or whose opener has gone, gives it to the page's content,
 * so that the next Tab does not begin at the browser's own bar.
 */
function returnFocus(opener: Element | null): HTMLElement | false {
  if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) return opener
  requestAnimationFrame(() => document.querySelector('main')?.focus({ preventScroll: true }))
  return false
}
