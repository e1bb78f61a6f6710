import type { ReactNode } from 'react'

type Props = {
  readonly title: string
  readonly children?: ReactNode
  /** It is all that the page has: its title is the page's heading. */
  readonly isPage?: boolean
}

/** Nothing to show, and what to do about it. */
export function EmptyNote({ title, children, isPage }: Props) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className="flex max-h-120 min-h-70 flex-1 flex-col items-center justify-center gap-2 px-6 py-16 text-center">
      <Title className="text-14 font-strong text-ink">{title}</Title>
      {children && <div className="max-w-100 text-13 text-ink-2">{children}</div>}
    </div>
  )
}
