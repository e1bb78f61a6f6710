import type { WireConfig } from '@chainboard/contract'
import { formatTokenBalance } from '@chainboard/core'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { BoostRow } from './BoostRows.tsx'
import { TransactionLink } from './TransactionLink.tsx'
import type { Claim } from './useClaim.ts'

type Props = {
  readonly claim: Claim
  readonly refundRaw: bigint
  readonly decimals: number
  readonly explorer: WireConfig['explorer']
  readonly onClaim: () => void
}

/** What is waiting for the wallet of boosts that were removed, and the way to have it. */
export function RefundRow({ claim, refundRaw, decimals, explorer, onClaim }: Props) {
  const busy = claim.kind === 'wallet' || claim.kind === 'chain'
  return (
    <>
      <BoostRow term="Your refund" note={<span className="max-tablet:hidden">for boosts that were removed</span>}>
        <span className="flex items-center gap-3">
          <span className="figures">{formatTokenBalance(refundRaw, decimals)} USDC</span>
          <button
            type="button"
            aria-busy={busy}
            onClick={busy ? undefined : onClaim}
            className={`${outlinedControl} h-8 touch:h-11`}
          >
            {claim.kind === 'wallet' ? 'Confirm in your wallet' : claim.kind === 'chain' ? 'Claiming…' : 'Claim refund'}
          </button>
        </span>
      </BoostRow>
      {claim.kind === 'chain' && (
        <div className="border-none! pb-2 text-13 text-ink-2">
          <TransactionLink hash={claim.hash} explorer={explorer} />
        </div>
      )}
      {claim.kind === 'failed' && (
        <p role="alert" className="border-none! pb-2 text-13 text-down wrap-anywhere">
          {claim.message}
        </p>
      )}
    </>
  )
}
