import { shortenAddress } from '@chainboard/core'
import { useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { FoundWallet } from './discoverWallets.ts'
import type { Wallet } from './useWallet.ts'

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
        <span className="figures flex max-w-full gap-1 font-normal text-ink-2">
          {wallet.balanceText === undefined ? <Skeleton width={56} height={10} /> : <Balance text={wallet.balanceText} />}
        </span>
      </span>
      <span className="text-ink-3">
        <Icon name="down" size={14} />
      </span>
    </>
  )
}

/** A balance that is too long for its place loses digits at the end, never its unit. */
function Balance({ text }: { readonly text: string }) {
  const at = text.indexOf(' ')
  if (at === -1) return <span className="truncate">{text}</span>
  return (
    <>
      <span className="min-w-0 truncate">{text.slice(0, at)}</span> <span className="shrink-0">{text.slice(at + 1)}</span>
    </>
  )
}

/** A wallet's own picture, or ours when it has none. Decorative: the name stands beside it. */
export function WalletIcon({ wallet, size }: { readonly wallet: FoundWallet | undefined; readonly size: number }) {
  const [failed, setFailed] = useState<string>()
  const box = { width: size, height: size }
  const icon = wallet?.icon
  if (icon && icon !== failed)
    return (
      <img
        src={icon}
        alt=""
        width={size}
        height={size}
        style={box}
        onError={() => setFailed(icon)}
        className="shrink-0 rounded-6 object-contain"
      />
    )
  return (
    <span style={box} className="inline-flex shrink-0 items-center justify-center rounded-6 bg-surface-3 text-ink-2">
      <Icon name="wallet" size={Math.round(size * 0.65)} />
    </span>
  )
}
