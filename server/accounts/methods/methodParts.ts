import type { Address, Hex } from '@chainboard/core'
import type { AccountParts } from '../accountParts.ts'

/** @throws Failure `signature-invalid`; `rpc-unavailable` when only the chain could tell and it does not answer */
export type CheckWallet = (signed: {
  readonly wallet: Address
  readonly message: string
  readonly signature: Hex
}) => Promise<void>

/** What the functions of sign-in methods work with. */
export type MethodParts = AccountParts & {
  readonly siteName: string
  readonly chainId: number
  /** Whether a wallet has signed: a key's own, a contract's, also of one that is not deployed yet. */
  readonly checkWallet: CheckWallet
}

/** Of one account, of each kind. */
export const methodsMax = 10
