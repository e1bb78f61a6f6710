import { formatRemaining, formatTokenBalance } from '@chainboard/core'
import type { ReactNode } from 'react'
import { useChainNow } from '../../lib/chainClock.ts'
import { describeDuration } from '../../lib/describeDuration.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { Notice } from '../../ui/Notice.tsx'
import { findObstacle, noFactsText } from './judgeFacts.ts'
import type { BoostFacts } from './readFacts.ts'

/** The wallet's part of the window, which belongs to another slice of the page. */
export type WalletParts = {
  readonly connected: boolean
  readonly chainOk: boolean
  readonly chainName: string
  /** The wallet is being asked to come to this chain. */
  readonly switching: boolean
  readonly switchError: string | undefined
  readonly onSwitch: () => void
  /** The way to connect one. */
  readonly control: ReactNode
}

type Props = {
  readonly facts: BoostFacts
  readonly decimals: number
  readonly wallet: WalletParts
  /** A transaction is: what it takes from the balance is no news. */
  readonly underWay: boolean
}

/** What the visitor should know before paying, and what keeps a boost from being paid. */
export function BoostNotices({ facts, decimals, wallet, underWay }: Props) {
  const obstacle = findObstacle(facts)
  return (
    <>
      {facts.boostedUntil > 0 && <CurrentlyBoosted facts={facts} />}
      {obstacle && obstacle.kind !== 'funds' && (
        <Notice icon={obstacle.kind === 'price' ? 'warning' : 'pause'} tone="warn" urgent>
          <p className="text-ink">{obstacle.text}</p>
        </Notice>
      )}
      {!wallet.connected && (
        <Notice icon="wallet" tone="note" title="Wallet Not Connected">
          <p className="mb-3">Connect a wallet to pay.</p>
          {wallet.control}
        </Notice>
      )}
      {wallet.connected && !wallet.chainOk && <WrongNetwork wallet={wallet} />}
      {obstacle?.kind === 'funds' && !underWay && <Insufficient facts={facts} decimals={decimals} />}
    </>
  )
}

function CurrentlyBoosted({ facts: { boostedUntil, durationSeconds } }: { readonly facts: BoostFacts }) {
  const left = boostedUntil - useChainNow()
  // The next reading will say so.
  if (left <= 0) return null
  return (
    <Notice icon="bolt" tone="boost" title="Currently Boosted">
      <p>
        <span className="figures font-strong text-boost">{formatRemaining(left)}</span> remaining.{' '}
        <span>Boosting again will extend the duration by {describeDuration(durationSeconds)}</span>
      </p>
    </Notice>
  )
}

function Insufficient({ facts: { costRaw, wallet }, decimals }: Pick<Props, 'facts' | 'decimals'>) {
  const price = formatTokenBalance(costRaw, decimals)
  const balance = formatTokenBalance(wallet?.balanceRaw ?? 0n, decimals)
  return (
    <Notice icon="warning" tone="warn" title="Insufficient USDC Balance" urgent>
      <p className="figures">
        You need {price} USDC to boost this token. Current balance: {balance} USDC
      </p>
    </Notice>
  )
}

function WrongNetwork({ wallet: { chainName, switching, switchError, onSwitch } }: Pick<Props, 'wallet'>) {
  return (
    <Notice icon="warning" tone="warn" title="Wrong network">
      <p className="mb-3">Your wallet is on another network. Boosts are paid on {chainName}.</p>
      {switchError !== undefined && (
        <p role="alert" className="mb-2 text-down">
          {switchError}
        </p>
      )}
      <button type="button" aria-busy={switching} onClick={onSwitch} className={`${outlinedControl} touch:h-11`}>
        {switching ? 'Confirm in your wallet' : `Switch to ${chainName}`}
      </button>
    </Notice>
  )
}

/** When nothing could be read at all. */
export function NoFacts({ busy, onRetry }: { readonly busy: boolean; readonly onRetry: () => void }) {
  return (
    <Notice icon="warning" tone="fail" urgent>
      <p className="mb-3 text-ink">{noFactsText}</p>
      <button type="button" disabled={busy} onClick={onRetry} className={`${outlinedControl} touch:h-11`}>
        {busy ? 'Trying…' : 'Try Again'}
      </button>
    </Notice>
  )
}
