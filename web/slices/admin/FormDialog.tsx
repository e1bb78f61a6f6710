import { type FormEvent, type ReactNode, useEffect, useId } from 'react'
import { holdReload } from '../../lib/busy.ts'
import { filledControl, outlinedControl } from '../../ui/buttonStyles.ts'
import { Modal } from '../../ui/Modal.tsx'

type Props = {
  readonly open: boolean
  readonly title: string
  readonly subtitle?: ReactNode
  readonly submitText: string
  readonly busyText: string
  readonly danger?: boolean
  readonly blocked?: boolean
  readonly busy: boolean
  /** Why the server did not do it. */
  readonly error: string | undefined
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly onClosed: () => void
  readonly children: ReactNode
}

const submitLook = `${filledControl} min-w-32 disabled:bg-surface-3 disabled:text-ink-3 disabled:hover:shadow-none touch:h-11`
const dangerLook =
  'inline-flex h-10 min-w-32 items-center justify-center rounded-8 border border-down px-4 text-14 font-strong text-down transition-colors duration-120 hover:bg-surface-2 touch:h-11'

/** A question to the operator with its answer's buttons at the foot. While it is open the page does not load itself anew. */
export function FormDialog(props: Props) {
  const { open, title, subtitle, busy, error, blocked, danger, submitText, busyText, onSubmit, onClose, onClosed, children } =
    props
  const id = useId()
  useEffect(() => (open ? holdReload() : undefined), [open])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && !blocked) onSubmit()
  }
  return (
    <Modal
      open={open}
      onClose={() => !busy && onClose()}
      onClosed={onClosed}
      title={title}
      subtitle={subtitle}
      size="fit"
      footer={
        <div className="flex justify-end gap-3 max-tablet:flex-row-reverse max-tablet:*:flex-1">
          <button type="button" disabled={busy} onClick={onClose} className={`${outlinedControl} h-10 min-w-24 touch:h-11`}>
            Cancel
          </button>
          <button type="submit" form={id} disabled={blocked} aria-busy={busy} className={danger ? dangerLook : submitLook}>
            {busy ? busyText : submitText}
          </button>
        </div>
      }
    >
      <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-2 px-5 pt-4 pb-2">
        {children}
        <p role="alert" className="min-h-5 text-13 text-down wrap-anywhere">
          {error}
        </p>
      </form>
    </Modal>
  )
}
