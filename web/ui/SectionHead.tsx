import type { ReactNode } from 'react'
import { HeadWords } from './HeadWords.tsx'

type Props = {
  /** For the section's `aria-labelledby`. */
  readonly id: string
  readonly text: string
  /** How many things stand in it. */
  readonly count?: number | undefined
  /** What the heading does not say: an order, a source. */
  readonly note?: string
  /** A control at the right end. */
  readonly children?: ReactNode
}

/** Heading of a part of a page that stands beside others. On a phone it is as high as its control needs it to be. */
export function SectionHead({ id, text, count, note, children }: Props) {
  return (
    <header className="flex h-9 items-center justify-between gap-4 max-tablet:h-auto max-tablet:min-h-9">
      <HeadWords id={id} text={text} count={count} note={note} />
      {children}
    </header>
  )
}
