import { Suspense } from 'react'
import { lazyPart } from '../../lib/lazyPart.tsx'
import { useMediaQuery } from '../../lib/useMediaQuery.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { PartNote } from '../../ui/PartNote.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import type { FoundWallet } from './discoverWallets.ts'
import { useWallet } from './useWallet.ts'
import { WalletIcon } from './WalletFace.tsx'
import { listWalletLinks } from './walletLinks.ts'
import { noWalletText } from './walletState.ts'

const PairingView = lazyPart(() => import('./walletConnect/PairingView.tsx'))

/** Until a wallet is connected: why not, which there are, and which one is being asked. */
export function WalletChoice({ layout, onCancel }: { readonly layout: 'bar' | 'menu'; readonly onCancel: () => void }) {
  const { kind, wallet: asked, wallets, error, choose } = useWallet()
  const pairing = kind === 'connecting' ? asked?.pairing : undefined
  return (
    <div className="px-2 pb-2">
      {error !== undefined && (
        <p role="alert" className="px-2 pb-2 text-13 text-down">
          {error}
        </p>
      )}
      {error === noWalletText && <NoWallet>Add a wallet to this browser, then reload the page and connect.</NoWallet>}
      {kind === 'connecting' && wallets.length === 0 && (
        <div className="flex items-center gap-3 px-2 pb-3 text-13 text-ink-2">
          <Spinner size={16} label="" />
          Looking for your wallet
        </div>
      )}
      {pairing ? (
        <Boundary fallback={(retry) => <PartNote {...retry} text="This part did not load." className="px-2 pb-2" />}>
          <Suspense fallback={<div className="h-30" />}>
            <PairingView pairing={pairing} />
          </Suspense>
        </Boundary>
      ) : (
        <ul>
          {wallets.map((wallet) => (
            <li key={wallet.id}>
              <WalletRow
                wallet={wallet}
                asked={kind === 'connecting' && wallet.id === asked?.id}
                onChoose={() => choose(wallet)}
              />
            </li>
          ))}
        </ul>
      )}
      {kind === 'choosing' && wallets.every((wallet) => wallet.pairing) && <NoWallet />}
      {/* A choice in the bar has its own way to close. */}
      {(kind === 'connecting' || (kind === 'choosing' && layout === 'menu')) && (
        <div className="px-2 pt-2 pb-1">
          <button type="button" onClick={onCancel} className={`${outlinedControl} w-full touch:h-11`}>
            Cancel
          </button>
        </div>
      )}
    </div>
  )
}

/** What to do without a wallet in this browser. On a phone wallets are apps, which open the page in a browser of their own. */
function NoWallet({ children }: { readonly children?: string }) {
  const onPhone = useMediaQuery('(pointer: coarse)')
  const links = onPhone ? listWalletLinks(location) : []
  if (links.length === 0) return children === undefined ? null : <p className="px-2 pb-2 text-13 text-ink-2">{children}</p>
  return (
    <div className="px-2 pb-2">
      <p className="pb-2 text-13 text-ink-2">Open this page in your wallet's app:</p>
      <ul className="flex flex-col gap-2">
        {links.map(({ name, url }) => (
          <li key={name}>
            <a href={url} rel="noopener noreferrer" className={`${outlinedControl} w-full touch:h-11`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

type RowProps = { readonly wallet: FoundWallet; readonly asked: boolean; readonly onChoose: () => void }

function WalletRow({ wallet, asked, onChoose }: RowProps) {
  return (
    <button
      type="button"
      aria-busy={asked}
      onClick={asked ? undefined : onChoose}
      className="flex h-14 w-full items-center gap-3 rounded-8 px-2 text-left transition-colors duration-120 hover:bg-surface-2"
    >
      <WalletIcon wallet={wallet} size={32} />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate text-14 font-strong text-ink">{wallet.name}</bdi>
        <span role="status" className="block text-12 text-ink-2">
          {asked && 'Confirm in your wallet'}
        </span>
      </span>
      {asked && <span aria-hidden="true" className="spinner mr-1 size-4" />}
    </button>
  )
}
