import type { WireConfig } from '@chainboard/contract'
import type { ReactNode } from 'react'
import type { CallNode } from '../../lib/callNode.ts'
import { BoostAction, BoostFailure } from './BoostAction.tsx'
import { BoostDone } from './BoostDone.tsx'
import { BoostNotices, NoFacts, type WalletParts } from './BoostNotices.tsx'
import { BoostRows } from './BoostRows.tsx'
import { BoostSteps } from './BoostSteps.tsx'
import { findObstacle, isCovered } from './judgeFacts.ts'
import { RefundRow } from './RefundRow.tsx'
import type { BoostParties } from './readFacts.ts'
import { type BoostWallet, useBoost } from './useBoost.ts'
import { useClaim } from './useClaim.ts'

type Props = {
  readonly parties: BoostParties
  readonly symbol: string
  readonly explorer: WireConfig['explorer']
  readonly call: CallNode
  readonly wallet: BoostWallet & WalletParts
  /** What the token is and costs. */
  readonly summary: ReactNode
  readonly onBoosted: (boostedUntil: number) => void
  readonly onClose: () => void
}

/** Pays for a token to be seen: what it costs, what keeps one from it, and the two steps. */
export default function BoostPanel({ parties, symbol, explorer, call, wallet, summary, onBoosted, onClose }: Props) {
  const { state, facts, query, read, press } = useBoost({ parties, call, wallet, onBoosted })
  const { claim, run } = useClaim({ parties, call, wallet, onClaimed: read })
  const { decimals } = parties.usdc
  if (state.step === 'success' && state.status.kind === 'success')
    return (
      <BoostDone
        symbol={symbol}
        hash={state.status.hash}
        boostedUntil={facts?.boostedUntil ?? 0}
        explorer={explorer}
        onClose={onClose}
      />
    )
  const extending = facts !== undefined && facts.boostedUntil > 0
  const refundRaw = facts?.wallet?.refundRaw ?? 0n
  const payable = facts?.wallet && wallet.chainOk && !findObstacle(facts)
  const together = wallet.sendTogether !== undefined && facts !== undefined && !isCovered(facts) && state.step === 'boost'
  const underWay = state.status.kind === 'pending'
  return (
    <div className="flex flex-1 flex-col gap-4 px-5 py-4">
      {summary}
      {query.isError && <NoFacts busy={query.isFetching} onRetry={() => void query.refetch()} />}
      {facts && <BoostNotices facts={facts} decimals={decimals} wallet={wallet} underWay={underWay} />}
      <BoostRows facts={facts} failed={query.isError} decimals={decimals} address={wallet.address}>
        {refundRaw > 0n && wallet.send && (
          <RefundRow claim={claim} refundRaw={refundRaw} decimals={decimals} explorer={explorer} onClaim={run} />
        )}
      </BoostRows>
      {(payable || underWay) && together && <p className="text-13 text-ink-2">Your wallet approves and pays in one step.</p>}
      {(payable || underWay) && !together && <BoostSteps step={state.step} extends={extending} />}
      {(payable || underWay) && <BoostAction state={state} extends={extending} explorer={explorer} onPress={press} />}
      <BoostFailure status={state.status} explorer={explorer} />
      <p className="mt-auto text-12 text-ink-3">
        Boosts are ads and are marked as paid. They don't affect price, trending, search or sorting.
      </p>
    </div>
  )
}
