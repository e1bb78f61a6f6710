import { parseAddress, shortenAddress, toPageTitle } from '@chainboard/core'
import { Link } from 'wouter'
import { copyAddress } from '../../lib/copyAddress.ts'
import { poolsPath, swapsPath } from '../../lib/marketPaths.ts'
import { fillTemplate } from '../../lib/urls.ts'
import { useTitle } from '../../lib/useTitle.ts'
import { useConfig } from '../../slices/config/useConfig.ts'
import { PoolBrowser } from '../../slices/pools/PoolBrowser.tsx'
import { SwapFeed } from '../../slices/trades/SwapFeed.tsx'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { SearchButton } from '../SearchButton.tsx'

const pageLook = 'flex min-h-[calc(100dvh-3.5rem)] flex-col pt-5 pb-8'

/** All pools of the exchange. */
export function PoolsPage() {
  const config = useConfig()
  useTitle(config && toPageTitle('Pools', config.siteName))
  return (
    <div className={pageLook}>
      <PageHead title="Pools" other={{ to: swapsPath, text: 'Swaps' }} />
      <PoolBrowser config={config} />
    </div>
  )
}

/** All swaps of the exchange. */
export function SwapsPage() {
  const config = useConfig()
  useTitle(config && toPageTitle('Swaps', config.siteName))
  return (
    <div className={pageLook}>
      <PageHead title="Swaps" other={{ to: poolsPath, text: 'Pools' }} />
      <SwapFeed explorer={config?.explorer ?? null} />
    </div>
  )
}

function PageHead({ title, other }: { readonly title: string; readonly other: { readonly to: string; readonly text: string } }) {
  return (
    <header className="flex items-center justify-between gap-4">
      <h1 className="text-20 font-strong tracking-tight">{title}</h1>
      <span className="flex items-center gap-3">
        <Link to={other.to} className="rounded-6 py-1 text-13 text-ink-2 underline underline-offset-4 hover:text-ink">
          {other.text}
        </Link>
        <SearchButton />
      </span>
    </header>
  )
}

/** What a wallet traded on this exchange. */
export function WalletPage({ address }: { readonly address: string }) {
  const config = useConfig()
  const wallet = parseAddress(address)
  useTitle(config && toPageTitle(wallet ? `Trades of ${shortenAddress(wallet)}` : 'Trades', config.siteName))
  if (!wallet)
    return (
      <div className={pageLook}>
        <EmptyNote title="Not an address" isPage>
          <p className="pb-4">A wallet's address is 0x and 40 hexadecimal digits.</p>
          <Link to={swapsPath} className={outlinedControl}>
            Show all swaps
          </Link>
        </EmptyNote>
      </div>
    )
  const url = config?.explorer ? fillTemplate(config.explorer.addressUrl, wallet) : undefined
  return (
    <div className={pageLook}>
      <header className="relative pr-12">
        <span className="absolute top-0 right-0">
          <SearchButton />
        </span>
        <h1 className="flex items-center gap-1 text-20 font-strong tracking-tight">
          Trades of <span className="font-mono text-16">{shortenAddress(wallet)}</span>
          <IconButton icon="copy" iconSize={16} label="Copy address of the wallet" onClick={() => void copyAddress(wallet)} />
          {url && (
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              aria-label="Wallet in the explorer"
              title="View in the explorer"
              className="flex size-8 items-center justify-center rounded-8 text-ink-2 hover:bg-surface-2 hover:text-ink touch:size-11"
            >
              <Icon name="out" size={16} />
            </a>
          )}
        </h1>
        <p className="text-13 text-ink-2">
          Swaps on this exchange that paid out to this address. Sales for the native coin are missing: they pay out to a router.
        </p>
      </header>
      <SwapFeed wallet={wallet} explorer={config?.explorer ?? null} />
    </div>
  )
}
