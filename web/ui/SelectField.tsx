import { useEffect, useEffectEvent, useRef } from 'react'
import { Icon } from './Icon.tsx'

type Props<T extends string> = {
  readonly label: string
  /** In a form. */
  readonly name?: string
  /** Where the options say what they are about. */
  readonly unlabelled?: boolean
  readonly options: readonly { readonly value: T; readonly text: string }[]
  readonly value: T
  readonly onChange: (value: T) => void
}

/** The platform's own select, dressed. */
export function SelectField<T extends string>({ label, name, unlabelled, options, value, onChange }: Props<T>) {
  const select = useRef<HTMLSelectElement>(null)
  const choose = (text: string | undefined) => {
    const chosen = options.find((option) => option.value === text)
    if (chosen) onChange(chosen.value)
  }
  const takeOver = useEffectEvent(() => {
    if (select.current?.value !== value) choose(select.current?.value)
  })
  // What was chosen in the page that the server drew.
  useEffect(() => takeOver(), [])
  return (
    <label className="print:hidden relative flex items-center text-13 text-ink-2">
      <span className={unlabelled ? 'sr-only' : 'mr-2 max-tablet:sr-only'}>{label}</span>
      <select
        ref={select}
        name={name}
        autoComplete="off"
        value={value}
        onChange={(event) => choose(event.target.value)}
        className="h-9 touch:h-11 appearance-none rounded-8 border border-line-strong bg-surface-1 pr-8 pl-3 font-strong text-ink hover:bg-surface-2"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-surface-1 text-ink">
            {option.text}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute right-2.5 text-ink-2">
        <Icon name="down" size={14} />
      </span>
    </label>
  )
}
