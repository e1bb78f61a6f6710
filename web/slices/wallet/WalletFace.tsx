import { shortenAddress } from '@chainboard/core'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { Wallet } from './useWallet.ts'
import { WalletIcon } from './WalletIcon.tsx'

/** What the button says, in every state of the wallet. */
export function WalletFace({ wallet }: { readonly wallet: Wallet }) {
  if (wallet.kind === 'connecting')
    return (
      <>
        <span aria-hidden="true" className="spinner size-3.5" />
        Connecting...
      </>
    )
  if (wallet.kind !== 'connected') return 'Connect Wallet'
  if (!wallet.chainOk)
    return (
      <span className="flex flex-1 items-center justify-center gap-2 text-warn">
        <Icon name="warning" size={16} />
        Wrong network
      </span>
    )
  return (
    <>
      <WalletIcon wallet={wallet.wallet} size={22} />
      <span className="flex min-w-0 flex-1 flex-col items-start text-12 leading-4">
        <span className="sr-only">Wallet </span>
        <span className="figures whitespace-nowrap">{shortenAddress(wallet.address ?? '')}</span>
        <span className="figures max-w-full truncate font-normal text-ink-2">
          {wallet.balanceText ?? <Skeleton width={56} height={10} />}
        </span>
      </span>
      <span className="text-ink-3">
        <Icon name="down" size={14} />
      </span>
    </>
  )
}
