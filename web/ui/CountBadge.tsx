/** How many things a section has, beside its heading. Nothing where that is not known. */
export function CountBadge({ count }: { readonly count: number | undefined }) {
  if (count === undefined) return null
  return (
    <span className="figures rounded-full bg-surface-2 px-2 text-12 font-strong text-ink-2">{count.toLocaleString('en-US')}</span>
  )
}
