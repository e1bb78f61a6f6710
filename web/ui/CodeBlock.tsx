import { Fragment, type ReactNode } from 'react'
import { CopyButton } from './CopyButton.tsx'

type Props = {
  /** What stands at the head of the block. */
  readonly title: ReactNode
  /** For those who hear it. */
  readonly label: string
  readonly code: string
  /** A part of the code that is the reader's own: it is told apart. */
  readonly marked?: string | undefined
}

/** Code to be copied. Long lines scroll, by keyboard too. */
export function CodeBlock({ title, label, code, marked }: Props) {
  return (
    <figure className="overflow-hidden rounded-8 border border-line bg-surface-1">
      <figcaption className="flex min-h-11 items-center justify-between gap-3 border-line border-b py-1 pr-1.5 pl-4 text-12 text-ink-2">
        <span className="min-w-0 truncate">{title}</span>
        <CopyButton text={code} label={label} />
      </figcaption>
      {/* What scrolls sideways has to be reached by keyboard. */}
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: as said above
        tabIndex={0}
        className="-outline-offset-2 overflow-x-auto px-4 py-3"
      >
        <pre className="w-max font-mono text-12 leading-5 text-ink">
          <code>{marked ? markPart(code, marked) : code}</code>
        </pre>
      </section>
    </figure>
  )
}

function markPart(code: string, part: string): ReactNode {
  return code.split(part).map((each, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have nothing but their place
    <Fragment key={index}>
      {index > 0 && <mark className="bg-transparent font-strong text-verified">{part}</mark>}
      {each}
    </Fragment>
  ))
}
