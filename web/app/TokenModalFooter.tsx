import type { WireConfig, WireToken } from '@chainboard/contract'
import { toDisplayText } from '@chainboard/core'
import { Link } from 'wouter'
import { fillTemplate, tokenPagePath } from '../lib/urls.ts'
import { filledControl, outlinedControl } from '../ui/buttonStyles.ts'
import { Icon, type IconName } from '../ui/Icon.tsx'
import type { ModalKind, ModalSearch } from './homeSearch.ts'
import { openModal } from './useHomeSearch.ts'

type View = {
  readonly kind: ModalKind
  readonly text: string
  readonly icon: IconName
  readonly of: (address: string) => ModalSearch
}

const views: readonly View[] = [
  { kind: 'token', text: 'Details', icon: 'info', of: (token) => ({ token }) },
  { kind: 'chart', text: 'Price Chart', icon: 'chart', of: (chart) => ({ chart }) },
  { kind: 'swaps', text: 'Recent Swaps', icon: 'swap', of: (swaps) => ({ swaps }) },
]

type Props = {
  /** What the modal shows now. */
  readonly kind: ModalKind
  readonly token: WireToken | undefined
  readonly dex: WireConfig['dex'] | undefined
}

/** The other two views of the same token, and the way to trade it. */
export function TokenModalFooter({ kind, token, dex }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="flex gap-2 max-tablet:w-full max-tablet:flex-wrap max-tablet:*:flex-1">
        {views
          .filter((view) => view.kind !== kind)
          .map((view) => (
            <button
              key={view.kind}
              type="button"
              disabled={!token}
              onClick={() => token && openModal(view.of(token.address))}
              className={`${outlinedControl} h-10! touch:h-11! whitespace-nowrap disabled:text-ink-3 max-tablet:px-2!`}
            >
              <span className="max-tablet:hidden">
                <Icon name={view.icon} size={16} />
              </span>
              {view.text}
            </button>
          ))}
        {token && (
          <Link
            to={tokenPagePath(token.address)}
            className={`${outlinedControl} h-10! touch:h-11! whitespace-nowrap max-tablet:px-2!`}
          >
            Token page
          </Link>
        )}
      </div>
      <TradeLink token={token} dex={dex} />
    </div>
  )
}

function TradeLink({ token, dex }: Omit<Props, 'kind'>) {
  // Until it is known where to, the link's place is kept.
  if (!token || !dex) return <span aria-hidden="true" className="skeleton h-10 w-48 rounded-8! touch:h-11 max-tablet:w-full" />
  const url = fillTemplate(dex.swapUrl, token.address)
  if (!url) return null
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={`${filledControl} touch:h-11! max-tablet:w-full`}>
      <span className="truncate">Trade on {toDisplayText(dex.name, 'the DEX', 32)}</span>
      <Icon name="out" size={16} />
    </a>
  )
}
