import { type ReactNode, useId } from 'react'

type Props = { readonly label: string; readonly hint?: string; readonly children: (id: string) => ReactNode }

/** A field that is no line of text, under its label, like `TextField`. */
export function FormField({ label, hint, children }: Props) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-13 font-strong text-ink">
        {label}
      </label>
      {children(id)}
      <p className="min-h-5 pt-1 text-12 text-ink-2">{hint}</p>
    </div>
  )
}

export const fieldLook =
  'w-full rounded-8 border border-line-strong bg-ground px-3 text-16 text-ink outline-offset-0 placeholder:text-ink-3 hover:border-ink-3 disabled:text-ink-3'
