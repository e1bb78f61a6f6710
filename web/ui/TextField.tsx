import { type ComponentProps, type ReactNode, useId } from 'react'

type Props = Omit<ComponentProps<'input'>, 'id' | 'className' | 'aria-describedby' | 'aria-invalid'> & {
  readonly label: string
  /** What is wrong with the value; takes the place of the hint, so that nothing moves. */
  readonly error: string | undefined
  readonly hint?: string | undefined
  /** A control at the right end of the field. */
  readonly children?: ReactNode
}

/** One line of text with its label, and under it a hint or what is wrong. */
export function TextField({ label, error, hint, children, ...rest }: Props) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-13 font-strong text-ink">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          aria-describedby={`${id}-line`}
          aria-invalid={error !== undefined}
          className="h-11 w-full rounded-8 border border-line-strong bg-ground px-3 text-16 text-ink outline-offset-0 placeholder:text-ink-3 hover:border-ink-3 not-last:pr-12 aria-invalid:border-down aria-invalid:hover:border-down"
          {...rest}
        />
        {children && <span className="absolute inset-y-0 right-1 flex items-center">{children}</span>}
      </div>
      <p
        id={`${id}-line`}
        role={error === undefined ? undefined : 'alert'}
        className={`min-h-5 pt-1 text-12 wrap-anywhere ${error === undefined ? 'text-ink-2' : 'text-down'}`}
      >
        {error ?? hint}
      </p>
    </div>
  )
}
