/** The board: three lines of a departures display, one of them just changed. */
export function SiteMark({ size }: { readonly size: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-surface-3" />
      <path d="M7 8h4v4H7zM14 8h11v4H14zM7 20h4v4H7zM14 20h8v4h-8z" className="fill-ink" />
      <path d="M7 14h4v4H7zM14 14h5v4h-5z" className="fill-accent" />
    </svg>
  )
}
