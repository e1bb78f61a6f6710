import { type ReactNode, useId } from 'react'

type Props = { readonly children: ReactNode; readonly hint: string; readonly align?: 'left' | 'right' }

/** A word with a reason behind it, read on hover, focus or tap. Escape puts it away. */
export function Hint({ children, hint, align = 'right' }: Props) {
  const id = useId()
  return (
    <span className="group/hint relative inline-block">
      <button
        type="button"
        aria-describedby={id}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
        className="printed cursor-help rounded-6 underline decoration-line-strong decoration-dotted underline-offset-4"
      >
        {children}
      </button>
      <span
        id={id}
        role="tooltip"
        className={`appear pointer-events-none absolute bottom-full hidden z-20 mb-2 w-max max-w-60 whitespace-normal rounded-8 border border-line-strong bg-surface-2 px-3 py-2 text-left text-12 font-normal text-ink group-hover/hint:block group-focus-within/hint:block ${align === 'right' ? 'right-0' : 'left-0'}`}
      >
        {hint}
      </span>
    </span>
  )
}
