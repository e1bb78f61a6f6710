import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { filledControl, outlinedControl } from '../../ui/buttonStyles.ts'

const pinLength = 4
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
}

/** Asks for the PIN before something is changed. It has the focus while it is there; Escape cancels. */
export function PinBox({ children, confirmText, danger, busy, error, onConfirm, onCancel }: Props) {
  const [pin, setPin] = useState('')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [])
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
        <label className="flex flex-col gap-1.5 text-12 text-ink-2">
          4-Digit PIN
          <input
            ref={field}
            type="password"
            inputMode="numeric"
            autoComplete="off"
            maxLength={pinLength}
            value={pin}
            onChange={(event) => setPin(event.target.value.replaceAll(/\D/g, '').slice(0, pinLength))}
            aria-invalid={error !== undefined}
            aria-describedby={`${id}-error`}
            className="h-10 w-28 rounded-8 border border-line-strong bg-ground px-3 text-16 tracking-[0.4em] text-ink outline-offset-0 hover:border-ink-3 aria-invalid:border-down touch:h-11"
          />
        </label>
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
    </form>
  )
}

const dangerControl =
  'inline-flex items-center justify-center rounded-8 border border-down px-4 text-14 font-strong text-down transition-colors duration-120 hover:bg-surface-2 disabled:border-transparent'
