import { shortenAddress } from '@chainboard/core'
import { copyAddress } from '../../lib/copyAddress.ts'
import { filledControl, outlinedControl } from '../../ui/buttonStyles.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useWallet } from './useWallet.ts'
import { WalletIcon } from './WalletFace.tsx'

/** Whose wallet is connected and what is in it; on another chain the way to ours. */
export function ConnectedWallet({ onLeft }: { readonly onLeft: () => void }) {
  const { wallet, address = '', chainOk, balanceText, disconnect } = useWallet()
  return (
    <div className="px-4 pb-4">
      {!chainOk && <WrongNetwork />}
      <div className="flex items-center gap-3">
        <WalletIcon wallet={wallet} size={36} />
        <div className="min-w-0 flex-1">
          <bdi className="block truncate text-12 text-ink-2">{wallet?.name}</bdi>
          <div className="flex items-center gap-1">
            <span title={address} className="figures text-14 font-strong text-ink">
              {shortenAddress(address)}
            </span>
            <IconButton
              icon="copy"
              label="Copy your address"
              iconSize={16}
              className="-my-2"
              onClick={() => void copyAddress(address)}
            />
          </div>
        </div>
      </div>
      {chainOk && (
        <dl className="mt-4 flex items-baseline justify-between gap-4 text-13">
          <dt className="text-ink-2">Balance</dt>
          <dd className="figures min-w-0 truncate text-ink" title={balanceText}>
            {balanceText ?? <Skeleton width={88} />}
          </dd>
        </dl>
      )}
      <button
        type="button"
        onClick={() => {
          disconnect()
          onLeft()
        }}
        className={`${outlinedControl} mt-4 w-full touch:h-11`}
      >
        Disconnect
      </button>
    </div>
  )
}

function WrongNetwork() {
  const { switching, error, switchChain, chainName } = useWallet()
  return (
    <div className="mb-4 border-line border-b pb-4">
      <p className="text-13 text-ink-2">Your wallet is on another network. This site uses {chainName}.</p>
      {error !== undefined && (
        <p role="alert" className="mt-2 text-13 text-down">
          {error}
        </p>
      )}
      <button type="button" aria-busy={switching} onClick={switchChain} className={`${filledControl} mt-3 w-full touch:h-11`}>
        {switching ? 'Confirm in your wallet' : `Switch to ${chainName}`}
      </button>
    </div>
  )
}
