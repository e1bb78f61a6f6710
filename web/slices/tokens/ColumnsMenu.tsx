import { useId, useRef, useState } from 'react'
import { useDismiss } from '../../lib/useDismiss.ts'
import { outlinedControl, quietControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { type ExtraKey, extraNames, isExtra } from './extraColumns.tsx'
import { writeColumns } from './tableLook.ts'

type Props = {
  /** The further columns that are wanted, as the address writes them. */
  readonly shown: string
  readonly fitting: number
  readonly onColumns: (columns: string | undefined) => void
}

/** Where the head of a column says too little without its figures. */
const longNames: { readonly [key in ExtraKey]?: string } = {
  spark: '7-day price line',
  liquidity: 'Liquidity (depth ±2%)',
  organic: 'Organic volume',
}

/** Which columns the table has besides those of the specification. */
export function ColumnsMenu({ shown, fitting, onColumns }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useDismiss(whole, open, (how) => {
    setOpen(false)
    if (how === 'leave') button.current?.focus()
  })
  const chosen = shown.split('.').filter(isExtra)
  const toggle = (key: ExtraKey) =>
    onColumns(writeColumns(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]))
  return (
    <div ref={whole} className="relative shrink-0 max-desk:hidden">
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className={`${outlinedControl} touch:h-11`}
      >
        Columns
        <Icon name="down" size={14} />
      </button>
      <fieldset
        id={id}
        hidden={!open}
        // A press on a label or beside it leaves the focus in the menu: elsewhere it would close it before the click.
        tabIndex={-1}
        className="appear outline-none absolute top-full right-0 z-20 mt-1 w-64 rounded-14 border border-line-strong bg-surface-1 p-2 text-13"
      >
        <legend className="sr-only">Further columns</legend>
        {extraNames.map(({ key, head, title }) => (
          <label key={key} title={title} className="flex h-9 items-center gap-2 rounded-8 px-2 hover:bg-surface-2 touch:h-11">
            <input type="checkbox" checked={chosen.includes(key)} onChange={() => toggle(key)} className="size-4 accent-accent" />
            <span className="min-w-0 truncate">{longNames[key] ?? (title.startsWith('Change') ? `${head} change` : head)}</span>
          </label>
        ))}
        {fitting < chosen.length && (
          <p role="status" className="px-2 py-1 text-12 text-warn">
            {fitting} of {chosen.length} fit this window.
          </p>
        )}
        <button
          type="button"
          onClick={() => onColumns(undefined)}
          className={`${quietControl} mt-1 h-9 w-full text-13 font-strong`}
        >
          Default columns
        </button>
      </fieldset>
    </div>
  )
}
