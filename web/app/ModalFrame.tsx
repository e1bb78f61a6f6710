import type { ReactNode } from 'react'
import { Icon } from '../ui/Icon.tsx'
import type { ModalKind } from './homeSearch.ts'

type Props = {
  readonly kind: ModalKind
  /** In place of the skeleton: why the modal does not come. */
  readonly note: ReactNode
  readonly onClose: () => void
}

/** In place of a modal whose code is not there: as large, drawn by app.css alone. The browser's own dialog gives the focus back. */
export function ModalFrame({ kind, note, onClose }: Props) {
  return (
    <>
      <div className="modal-shade" />
      <dialog
        ref={show}
        closedby="any"
        aria-label={note ? 'Not loaded' : 'Loading'}
        onCancel={onClose}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Not every browser hears it before the frame is modal, and none is to hear it twice.
          event.preventDefault()
          onClose()
        }}
        className={`modal-frame modal-${kind}`}
      >
        <button type="button" aria-label="Close" onClick={onClose}>
          <Icon name="close" size={18} />
        </button>
        {note ?? <i className="skeleton" />}
      </dialog>
    </>
  )
}

/** Code that was fetched ahead comes sooner. */
const holdAfterMs = 300

function show(frame: HTMLDialogElement | null) {
  frame?.show()
  // A modal dialog makes the browser style the whole page again. That waits until the frame is on screen, and is not done for a short wait.
  const timer = setTimeout(() => {
    frame?.close()
    frame?.showModal()
  }, holdAfterMs)
  return () => {
    clearTimeout(timer)
    // What is taken out open does not give the focus back.
    frame?.close()
  }
}
