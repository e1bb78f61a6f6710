import { CountBadge } from './CountBadge.tsx'

type Props = {
  /** For the section's `aria-labelledby`. */
  readonly id: string
  readonly text: string
  /** How many things stand in it. */
  readonly count?: number | undefined
  /** What the heading does not say: an order, a source. */
  readonly note?: string | undefined
  /** On a desk it stands beside its list, in a narrow column. */
  readonly beside?: boolean
}

/** The words of a section's head: its heading, how many things stand in it, and a note. */
export function HeadWords({ id, text, count, note, beside = false }: Props) {
  const [row, heading, line] = beside
    ? ['desk:flex-wrap', 'max-desk:whitespace-nowrap desk:text-14', 'max-desk:truncate']
    : ['', 'whitespace-nowrap', 'truncate']
  return (
    <div className={`flex min-w-0 items-baseline gap-x-2 ${row}`}>
      <h2 id={id} className={`text-16 font-strong tracking-tight ${heading}`}>
        {text}
      </h2>
      <CountBadge count={count} />
      {note && <p className={`text-12 text-ink-3 ${line}`}>{note}</p>}
    </div>
  )
}
