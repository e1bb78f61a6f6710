import { Icon } from './Icon.tsx'

/** A transaction in the explorer; nothing where the chain has none. */
export function TxLink({ url }: { readonly url: string | undefined }) {
  if (!url) return null
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label="Transaction in the explorer"
      title="Transaction in the explorer"
      className="-mr-2 inline-flex size-8 items-center justify-center rounded-8 text-ink-3 hover:bg-surface-2 hover:text-ink touch:size-11"
    >
      <Icon name="out" size={16} />
    </a>
  )
}
