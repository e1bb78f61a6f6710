import { useEffect, useRef } from 'react'

/** Digits of a PIN. */
export const pinLength = 4

type Props = {
  readonly label: string
  readonly value: string
  readonly onChange: (digits: string) => void
  readonly invalid: boolean
  /** The id of the line that says what is wrong. */
  readonly describedBy: string
  readonly autoComplete: 'off' | 'current-password' | 'new-password'
  /** Has the focus when it comes. */
  readonly focused?: boolean
}

/** Four digits, hidden; what is no digit is left out. */
export function PinInput({ label, value, onChange, invalid, describedBy, autoComplete, focused = false }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!focused) return
    field.current?.focus()
    field.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [focused])
  return (
    <label className="flex flex-col gap-1.5 text-12 text-ink-2">
      {label}
      <input
        ref={field}
        type="password"
        inputMode="numeric"
        autoComplete={autoComplete}
        maxLength={pinLength}
        value={value}
        onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, '').slice(0, pinLength))}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        className="h-10 w-28 rounded-8 border border-line-strong bg-ground px-3 text-16 tracking-[0.4em] text-ink outline-offset-0 hover:border-ink-3 aria-invalid:border-down touch:h-11"
      />
    </label>
  )
}
