import type { WireConfig, WireToken } from '@chainboard/contract'
import { parseAddress } from '@chainboard/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { createNodeCall } from '../lib/callNode.ts'
import { lazyPart } from '../lib/lazyPart.tsx'
import { notify } from '../lib/notice.ts'
import type { BoostParties } from '../slices/boost/readFacts.ts'
import { refreshBoosted } from '../slices/tokens/useBoosted.ts'
import { useSendCall, useSendTogether, useWallet } from '../slices/wallet/useWallet.ts'
import { WalletButton } from '../slices/wallet/WalletButton.tsx'
import { useLiveToken } from '../token/liveTokens.ts'
import { usePriceMode } from '../token/priceMode.ts'
import { TokenFigures } from '../token/TokenFigures.tsx'
import { toTokenText } from '../token/tokenText.ts'
import { EmptyNote } from '../ui/EmptyNote.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

const BoostPanel = lazyPart(() => import('../slices/boost/BoostPanel.tsx'))

type Props = { readonly token: WireToken; readonly config: WireConfig | undefined; readonly onClose: () => void }

/** What the modal at `?boost=` shows: a token, the visitor's wallet and the boost contract, brought together. */
export function BoostModal({ token, config, onClose }: Props) {
  if (!config) return <BoostSkeleton />
  const parties = toParties(token, config)
  if (!parties) return <EmptyNote title="Boosts are off">Tokens on this chain cannot be boosted.</EmptyNote>
  return (
    <Suspense fallback={<BoostSkeleton />}>
      <Boost token={token} config={config} parties={parties} onClose={onClose} />
    </Suspense>
  )
}

/** In small letters: nobody's checksum is to keep a call from being made. */
function toParties(token: WireToken, { boost, usdc }: WireConfig): BoostParties | undefined {
  const contract = boost && parseAddress(boost.contract)
  const coin = parseAddress(usdc.address)
  const address = parseAddress(token.address)
  return contract && coin && address ? { contract, usdc: { address: coin, decimals: usdc.decimals }, token: address } : undefined
}

type BoostProps = Props & { readonly config: WireConfig; readonly parties: BoostParties }

function Boost({ token, config, parties, onClose }: BoostProps) {
  const client = useQueryClient()
  const wallet = useWallet()
  const send = useSendCall(config.chain.id)
  const sendTogether = useSendTogether(config.chain.id)
  const { chain } = config
  const call = useMemo(() => createNodeCall(chain.rpcUrl), [chain.rpcUrl])
  const refresh = async (boostedUntil: number) => {
    if (!(await refreshBoosted(client, token.address, boostedUntil))) notify('Failed to refresh boost data', 'note')
  }
  return (
    <BoostPanel
      parties={parties}
      symbol={toTokenText(token).symbol}
      explorer={config.explorer}
      call={call}
      wallet={{
        address: wallet.address,
        send,
        sendTogether,
        connected: wallet.kind === 'connected',
        chainOk: wallet.chainOk,
        chainName: wallet.chainName,
        switching: wallet.switching,
        switchError: wallet.error,
        onSwitch: wallet.switchChain,
        control: <WalletButton layout="menu" />,
      }}
      summary={<Summary token={token} />}
      onBoosted={(boostedUntil) => void refresh(boostedUntil)}
      onClose={onClose}
    />
  )
}

function Summary({ token: listed }: { readonly token: WireToken }) {
  const token = useLiveToken(listed)
  const { mode } = usePriceMode()
  return <TokenFigures token={token} mode={mode} />
}

/** A boost whose terms are still being read, with their geometry. */
export function BoostSkeleton() {
  return (
    <div role="status" className="flex flex-1 flex-col gap-4 px-5 py-4">
      <span className="sr-only">Loading the boost</span>
      <div className="grid h-9 grid-cols-3 gap-3">
        {[72, 56, 64].map((width) => (
          <span key={width} className="flex flex-col justify-center gap-2">
            <Skeleton width={48} height={10} />
            <Skeleton width={width} />
          </span>
        ))}
      </div>
      <div className="border-line border-y *:not-first:border-line *:not-first:border-t">
        {[96, 72, 128].map((width) => (
          <div key={width} className="flex h-11 items-center justify-between">
            <Skeleton width={width} height={12} />
            <Skeleton width={64} />
          </div>
        ))}
      </div>
    </div>
  )
}
