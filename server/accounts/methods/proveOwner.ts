import { Failure } from '@chainboard/core'
import { findPasskey } from '../../store/passkeys.ts'
import { findWalletOwner, useSignInWallet } from '../../store/signInWallets.ts'
import type { Tx } from '../../store/store.ts'
import type { User } from '../../store/users.ts'
import { parseAssertion } from '../passkeys/parseCredential.ts'
import { settleAssertion, verifyAssertion } from '../passkeys/verifyPasskey.ts'
import { provePin } from '../pinAct.ts'
import { judgeSiwe } from '../wallets/judgeSiwe.ts'
import type { Caller } from './caller.ts'
import { type ChallengePurpose, spendChallenge } from './challenge.ts'
import { fieldOf } from './fields.ts'
import type { MethodParts } from './methodParts.ts'

/** What somebody signed in wants changed. `proof` came with it: `{pin}`, `{passkey}` or `{wallet: {message, signature}}`. */
export type OwnerAct = {
  readonly user: User
  readonly proof: unknown
  readonly caller: Caller
  readonly purpose: ChallengePurpose
}

/** Uses the proof up, in the transaction of the change that it is for. */
export type Settle = (tx: Tx) => Promise<void>

/**
 * A session may be stolen: a change of the ways to sign in wants the PIN, or a passkey or wallet that is linked already.
 * @throws Failure `request-invalid` for no such proof; `signature-invalid`; as `provePin` does
 */
export async function proveOwner(parts: MethodParts, act: OwnerAct): Promise<Settle> {
  const { user, proof, caller } = act
  if (fieldOf(proof, 'passkey') !== undefined || fieldOf(proof, 'wallet') !== undefined) return proveByMethod(parts, act)
  await provePin(parts, { user, pin: fieldOf(proof, 'pin'), visitor: caller.visitor })
  return async () => undefined
}

/** {@link proveOwner} without the PIN, for who has forgotten it. */
export async function proveByMethod(parts: MethodParts, { user, proof, caller, purpose }: OwnerAct): Promise<Settle> {
  const { party, challengeToken } = caller
  const passkey = fieldOf(proof, 'passkey')
  const wallet = fieldOf(proof, 'wallet')
  if (passkey !== undefined) {
    const assertion = parseAssertion(passkey)
    const found = await findPasskey(parts.store.read, assertion.id)
    const own = found?.userId === user.id ? found : undefined
    const use = { kind: 'passkey', purpose, userId: user.id, party, challengeToken } as const
    const asserted = await verifyAssertion(parts, { assertion, passkey: own, use })
    return (tx) => settleAssertion(tx, asserted, parts.nowSeconds())
  }
  if (wallet === undefined)
    throw new Failure('request-invalid', 'proof: expected a passkey or a wallet that is linked to your account')
  const answer = { message: fieldOf(wallet, 'message'), signature: fieldOf(wallet, 'signature') }
  const claim = judgeSiwe(parts, answer, { purpose, user, party, challengeToken })
  await parts.checkWallet(claim)
  const notLinked = new Failure('signature-invalid', 'This wallet is not linked to your account')
  if ((await findWalletOwner(parts.store.read, claim.wallet)) !== user.id) throw notLinked
  return async (tx) => {
    await spendChallenge(tx, claim.challenge)
    if (!(await useSignInWallet(tx, { userId: user.id, address: claim.wallet, seconds: parts.nowSeconds() }))) throw notLinked
  }
}
