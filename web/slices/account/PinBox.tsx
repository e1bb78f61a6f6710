import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { filledControl, outlinedControl } from '../../ui/buttonStyles.ts'
import { PinInput, pinLength } from './PinInput.tsx'

const control = 'h-10 min-w-24 disabled:bg-surface-3 disabled:text-ink-3 disabled:hover:shadow-none touch:h-11'

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
  // A refused PIN is typed anew.
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
        <button
          type="submit"
          disabled={pin.length !== pinLength || busy}
          className={`${danger ? dangerControl : filledControl} ${control}`}
        >
          {busy ? 'Confirming…' : confirmText}
        </button>
        <button
          type="button"
          disabled={busy}
          onClick={onCancel}
          className={`${outlinedControl} h-10 disabled:text-ink-3 touch:h-11`}
        >
          Cancel
        </button>
      </div>
      <p id={`${id}-error`} role="alert" className="text-13 text-down not-empty:mt-2">
        {error}
      </p>
      {instead}
    </form>
  )
}

const dangerControl =
  'inline-flex items-center justify-center rounded-8 border border-down px-4 text-14 font-strong text-down transition-colors duration-120 hover:bg-surface-2 disabled:border-transparent'
