import { loadPart } from '../lib/loadPart.ts'
import { notify } from '../lib/notice.ts'
import { IconButton } from '../ui/IconButton.tsx'

/** Opens the command palette, on pages that have no search of their own. */
export function SearchButton({ className = '' }: { readonly className?: string }) {
  const open = () =>
    loadPart(() => import('./openPalette.tsx')).then(
      ({ openPalette }) => openPalette(''),
      () => notify('The command palette did not load. Press the button again to retry.', 'note'),
    )
  return (
    <IconButton
      icon="search"
      label="Search tokens, pools and wallets"
      title="Search tokens, pools and wallets (Ctrl-K)"
      onClick={() => void open()}
      className={`size-9! border border-line-strong print:hidden touch:size-11! ${className}`}
    />
  )
}
