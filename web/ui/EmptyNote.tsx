import type { ReactNode } from 'react'

/** Nothing to show, and what to do about it. */
export function EmptyNote({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="flex max-h-120 min-h-70 flex-1 flex-col items-center justify-center gap-2 px-6 py-16 text-center">
      <p className="text-14 font-strong text-ink">{title}</p>
      {children && <div className="max-w-100 text-13 text-ink-2">{children}</div>}
    </div>
  )
}
