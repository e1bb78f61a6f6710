import { type ReactNode, useId, useRef, useState } from 'react'
import { useDismiss } from '../../../lib/useDismiss.ts'
import { useSeen } from '../../../lib/useSeen.ts'
import { outlinedControl } from '../../../ui/buttonStyles.ts'
import { Icon } from '../../../ui/Icon.tsx'

type Props = { readonly text: string; readonly label: string; readonly children: (close: () => void) => ReactNode }

/** A button with a panel below it, which Escape and a press elsewhere close. */
export function ChartMenu({ text, label, children }: Props) {
  const [open, setOpen] = useState(false)
  // When the panel goes, the mouse is over the chart, which redraws. So the panel is invisible first, and goes two frames later.
  const there = useSeen(open) || open
  const id = useId()
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useDismiss(whole, open, (how) => (how === 'leave' ? close() : setOpen(false)))
  return (
    <div ref={whole} className="relative shrink-0">
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className={`${outlinedControl} max-w-48 touch:h-11`}
      >
        <span className="truncate">{text}</span>
        <Icon name="down" size={14} />
      </button>
      <fieldset
        id={id}
        hidden={!there}
        inert={!open}
        // A press on a label leaves the focus in the panel: elsewhere it would close it before the click.
        tabIndex={-1}
        className={`appear outline-none absolute top-full left-0 z-20 mt-1 w-72 max-w-[calc(100vw-2rem)] rounded-14 border border-line-strong bg-surface-1 p-2 text-13 ${open ? '' : 'opacity-0'}`}
      >
        <legend className="sr-only">{label}</legend>
        {there && children(close)}
      </fieldset>
    </div>
  )
}
