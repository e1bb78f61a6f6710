import type { WireConfig } from '@chainboard/contract'
import { useLasting } from '../../lib/useLasting.ts'
import { filledControl } from '../../ui/buttonStyles.ts'
import { Notice } from '../../ui/Notice.tsx'
import type { BoostState } from './boostState.ts'
import { TransactionLink } from './TransactionLink.tsx'

type Props = {
  readonly state: BoostState
  /** The token is boosted already. */
  readonly extends: boolean
  readonly explorer: WireConfig['explorer']
  readonly onPress: () => void
}

const slowMs = 45_000

/** The one button of the step, and under it how its transaction stands. */
export function BoostAction({ state, extends: isExtension, explorer, onPress }: Props) {
  const { step, status } = state
  const name = step === 'approve' ? 'Approve USDC' : isExtension ? 'Extend Boost' : 'Boost Token'
  const busy = status.kind === 'pending' || status.kind === 'success'
  return (
    <div className="flex flex-col gap-3">
      <button
        type="button"
        aria-busy={busy}
        onClick={busy ? undefined : onPress}
        className={`${filledControl} w-full touch:h-12`}
      >
        {busy && status.kind === 'pending' && (
          <span aria-hidden="true" className="spinner size-4 border-current/30! border-t-current!" />
        )}
        {toText(state, name)}
      </button>
      <Progress state={state} explorer={explorer} />
    </div>
  )
}

/** What the last transaction failed of, until the next one is tried. It stands under the button, which may be pressed again at once. */
export function BoostFailure({ status, explorer }: Pick<Props, 'explorer'> & Pick<BoostState, 'status'>) {
  if (status.kind !== 'error') return null
  return (
    <Notice icon="warning" tone="fail" title="Transaction Failed" urgent>
      <p>{status.message}</p>
      {status.hash && <TransactionLink hash={status.hash} explorer={explorer} />}
    </Notice>
  )
}

function toText({ step, status }: BoostState, name: string): string {
  if (status.kind === 'success') return 'USDC approved'
  if (status.kind !== 'pending') return name
  if (status.phase === 'checking') return 'Checking…'
  if (status.phase === 'wallet') return 'Confirm in your wallet'
  return step === 'approve' ? 'Approving…' : 'Boosting…'
}

/** One line for what is going on; its room is kept, and left to a failure. */
function Progress({ state, explorer }: Pick<Props, 'explorer' | 'state'>) {
  const { status } = state
  const mining = status.kind === 'pending' && status.phase === 'chain'
  const slow = useLasting(mining, slowMs)
  const note = status.kind === 'idle' || mining ? status.note : undefined
  const hash = mining || status.kind === 'success' ? status.hash : undefined
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-3 text-13 text-ink-2 ${status.kind === 'error' ? '' : 'min-h-6 touch:min-h-11'}`}
    >
      {status.kind === 'pending' && <span className="sr-only">{mining ? 'Waiting for confirmation' : toText(state, '')}</span>}
      {note && <span className="text-ink">{note}</span>}
      {slow && <span>This is taking longer than usual. You can close this window: the transaction continues.</span>}
      {hash && <TransactionLink hash={hash} explorer={explorer} />}
    </div>
  )
}
