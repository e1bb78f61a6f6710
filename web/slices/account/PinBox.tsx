import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { FormButtons } from './FormButtons.tsx'
import { PinInput, pinLength } from './PinInput.tsx'

type Props = {
  /** What the PIN is asked for. */
  readonly children: ReactNode
  readonly confirmText: string
  readonly danger?: boolean
  readonly busy: boolean
  readonly error: string | undefined
  readonly onConfirm: (pin: string) => void
  readonly onCancel: () => void
  /** Other ways to confirm. */
  readonly instead?: ReactNode
}

/** Asks for the PIN before something is changed. It has the focus while it is there; Escape cancels. */
export function PinBox({ children, confirmText, danger, busy, error, onConfirm, onCancel, instead }: Props) {
  const [pin, setPin] = useState('')
  const id = useId()
  // A refused PIN is typed again.
  const [refused, setRefused] = useState(error)
  if (error !== refused) {
    setRefused(error)
    if (error !== undefined) setPin('')
  }
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !busy) onCancel()
  }
  return (
    <form
      data-like-dialog=""
      aria-labelledby={`${id}-title`}
      onKeyDown={cancelOnEscape}
      onSubmit={(event) => {
        event.preventDefault()
        if (pin.length === pinLength && !busy) onConfirm(pin)
      }}
      className={`appear scroll-my-16 rounded-14 border bg-surface-1 px-4 py-3.5 ${danger ? 'border-down' : 'border-line-strong'}`}
    >
      <p id={`${id}-title`} className="text-14 text-ink">
        {children}
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        <PinInput
          label="4-Digit PIN"
          value={pin}
          onChange={setPin}
          invalid={error !== undefined}
          describedBy={`${id}-error`}
          autoComplete="off"
          focused
        />
        <FormButtons
          submitText={confirmText}
          busyText="Confirming…"
          ready={pin.length === pinLength}
          busy={busy}
          danger={danger}
          onCancel={onCancel}
        />
      </div>
      <p id={`${id}-error`} role="alert" className="text-13 text-down not-empty:mt-2">
        {error}
      </p>
      {instead}
    </form>
  )
}
