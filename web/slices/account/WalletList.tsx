import type { WireConfig } from '@chainboard/contract'
import { shortenAddress } from '@chainboard/core'
import type { ReactNode } from 'react'
import { copyAddress } from '../../lib/copyAddress.ts'
import { fillTemplate } from '../../lib/urls.ts'
import { quietControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { AddressMark } from '../../ui/Mark.tsx'

type Props = {
  readonly wallets: readonly string[]
  readonly explorer: WireConfig['explorer'] | undefined
  readonly blocked: boolean
  readonly onRemove: (address: string) => void
  /** What stands under a wallet that is about to be removed. */
  readonly removal: (address: string) => ReactNode
}

/** Every wallet the user watches. */
export function WalletList({ wallets, explorer, blocked, onRemove, removal }: Props) {
  if (wallets.length === 0)
    return (
      <div className="flex min-h-30 flex-col items-center justify-center gap-1 rounded-14 border border-line-strong border-dashed px-6 py-6 text-center">
        <p className="font-strong">No wallets added yet</p>
        <p className="text-13 text-ink-2">Add an address to see what it holds and has staked.</p>
      </div>
    )
  return (
    <ul aria-label="Wallets" className="grid items-start gap-3 tablet:grid-cols-2 desk:grid-cols-3">
      {wallets.map((address) => (
        <li key={address}>
          <div className="flex h-12 items-center gap-3 rounded-8 border border-line pr-1.5 pl-3 touch:h-14">
            <AddressMark address={address} size={24} />
            <span title={address} className="figures flex-1 font-mono text-13">
              {shortenAddress(address)}
            </span>
            <span className="flex text-ink-3 *:text-ink-3 *:hover:text-ink">
              <IconButton
                icon="copy"
                iconSize={16}
                label={`Copy address ${shortenAddress(address)}`}
                onClick={() => void copyAddress(address)}
              />
              <ExplorerLink address={address} explorer={explorer} />
              <IconButton
                icon="close"
                iconSize={16}
                label={`Remove wallet ${shortenAddress(address)}`}
                disabled={blocked}
                onClick={() => onRemove(address)}
              />
            </span>
          </div>
          {removal(address)}
        </li>
      ))}
    </ul>
  )
}

function ExplorerLink({ address, explorer }: { readonly address: string; readonly explorer: Props['explorer'] }) {
  const url = explorer ? fillTemplate(explorer.addressUrl, address) : undefined
  if (!url) return null
  const label = `Wallet ${shortenAddress(address)} in the explorer`
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      title={label}
      className={`${quietControl} size-8 touch:size-11`}
    >
      <Icon name="out" size={16} />
    </a>
  )
}
