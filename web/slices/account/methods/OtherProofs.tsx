import type { WireSignInMethods } from '@chainboard/contract'
import { canUsePasskeys } from './canUsePasskeys.ts'
import type { Signer } from './methodCalls.ts'

type Props = {
  readonly methods: WireSignInMethods
  readonly signer: Signer
  readonly busy: boolean
  readonly onProve: (way: 'passkey' | 'wallet') => void
}

/** The linked wallet that is connected now; undefined for none. */
export function findLinkedWallet({ wallets }: WireSignInMethods, { address }: Signer): string | undefined {
  return wallets.find((wallet) => wallet.address === address)?.address
}

/** What may confirm in place of the PIN: a linked passkey, and the connected wallet if it is linked. */
export function OtherProofs({ methods, signer, busy, onProve }: Props) {
  const ways = [
    ...(methods.passkeys.length > 0 && canUsePasskeys(window) ? (['passkey'] as const) : []),
    ...(findLinkedWallet(methods, signer) ? (['wallet'] as const) : []),
  ]
  if (ways.length === 0) return null
  return (
    <p className="mt-2 flex flex-wrap gap-x-4">
      {ways.map((way) => (
        <button
          key={way}
          type="button"
          disabled={busy}
          onClick={() => onProve(way)}
          className="min-h-9 rounded-6 text-13 text-ink-2 underline underline-offset-4 hover:text-ink disabled:text-ink-3 touch:min-h-11"
        >
          {way === 'passkey' ? 'Use a passkey instead' : 'Use your wallet instead'}
        </button>
      ))}
    </p>
  )
}
