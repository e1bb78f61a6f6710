import { shortenAddress } from '@chainboard/core'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { useWallet } from './useWallet.ts'
import { WalletButton } from './WalletButton.tsx'
import { WalletIcon } from './WalletFace.tsx'

/** The wallet as a part of a form: the way to connect one, then whose it is. Which chain it is on does not matter here. */
export function InlineWallet() {
  const { kind, wallet, address, disconnect } = useWallet()
  if (kind !== 'connected' || !address) return <WalletButton layout="menu" />
  return (
    <div className="flex items-center gap-3">
      <WalletIcon wallet={wallet} size={32} />
      <p className="min-w-0 flex-1">
        <bdi className="block truncate text-12 text-ink-2">{wallet?.name}</bdi>
        <span title={address} className="figures text-14 font-strong">
          {shortenAddress(address)}
        </span>
      </p>
      <button type="button" onClick={disconnect} className={`${outlinedControl} touch:h-11`}>
        Disconnect
      </button>
    </div>
  )
}
