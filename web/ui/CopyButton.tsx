import { useCopied } from '../lib/useCopied.ts'
import { outlinedControl } from './buttonStyles.ts'
import { Icon } from './Icon.tsx'

type Props = {
  readonly text: string
  /** What the button reads before it was pressed. */
  readonly children?: string
  /** What is copied, for those who do not see where the button stands. */
  readonly label?: string
  readonly className?: string
}

/** Copies `text`, and says `Copied!` for two seconds in the same room. */
export function CopyButton({ text, children = 'Copy', label, className = 'h-8 min-w-22 touch:h-10' }: Props) {
  const [copied, copy] = useCopied()
  return (
    <button type="button" onClick={() => void copy(text)} className={`${outlinedControl} shrink-0 ${className}`}>
      <span className={copied ? 'text-up' : 'text-ink-2'}>
        <Icon name={copied ? 'check' : 'copy'} size={14} />
      </span>
      <span aria-live="polite">{copied ? 'Copied!' : children}</span>
      {label && <span className="sr-only"> {label}</span>}
    </button>
  )
}
