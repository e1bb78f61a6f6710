import { type ReactNode, useEffect, useId, useState } from 'react'

type Props = {
  readonly children: ReactNode
  readonly hint: string
  readonly align?: 'left' | 'right'
  /** Opens below the word instead of above it: for what passes under a head that stays. */
  readonly below?: boolean
}

/** A word with a reason behind it, read on hover, focus or tap. Escape puts it away, and the pointer may rest on it. */
export function Hint({ children, hint, align = 'right', below = false }: Props) {
  const id = useId()
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (!shown) return
    const hide = (event: KeyboardEvent) => event.key === 'Escape' && setShown(false)
    document.addEventListener('keydown', hide)
    return () => document.removeEventListener('keydown', hide)
  }, [shown])
  return (
    <span className="relative inline-block" onPointerEnter={() => setShown(true)} onPointerLeave={() => setShown(false)}>
      <button
        type="button"
        aria-describedby={id}
        onFocus={() => setShown(true)}
        onBlur={() => setShown(false)}
        onClick={(event) => {
          event.stopPropagation()
          setShown(true)
        }}
        className="printed scroll-mt-30 cursor-help rounded-6 underline decoration-line-strong decoration-dotted underline-offset-4"
      >
        {children}
      </button>
      <span
        className={`pointer-events-auto absolute z-20 ${shown ? '' : 'hidden'} ${below ? 'top-full pt-2' : 'bottom-full pb-2'} ${align === 'right' ? 'right-0' : 'left-0'}`}
      >
        <span
          id={id}
          role="tooltip"
          className="appear block w-max max-w-60 whitespace-normal rounded-8 border border-line-strong bg-surface-2 px-3 py-2 text-left text-12 font-normal text-ink"
        >
          {hint}
        </span>
      </span>
    </span>
  )
}
