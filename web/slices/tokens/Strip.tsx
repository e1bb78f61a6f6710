import type { ReactNode } from 'react'
import { HeadWords } from '../../ui/HeadWords.tsx'

type Props = {
  /** For the section's `aria-labelledby`. */
  readonly id: string
  readonly text: string
  /** How many things stand in it. */
  readonly count?: number | undefined
  /** What the heading does not say: an order, a source. */
  readonly note?: string
  readonly busy: boolean
  /** Controls beside the heading; under it where it stands beside the list. */
  readonly controls?: ReactNode
  readonly children: ReactNode
}

/** A list in one line under its heading, on a desk beside it: together they leave room for the table. */
export function Strip({ id, text, count, note, busy, controls, children }: Props) {
  return (
    <section
      aria-labelledby={id}
      aria-busy={busy}
      className="pt-3 desk:grid desk:grid-cols-[6.5rem_minmax(0,1fr)] desk:items-center desk:gap-x-4"
    >
      <header className="flex min-h-8 items-center justify-between gap-x-4 desk:flex-col desk:items-start desk:justify-start desk:self-start desk:pt-2">
        <HeadWords id={id} text={text} count={count} note={note} beside />
        {controls}
      </header>
      {children}
    </section>
  )
}
