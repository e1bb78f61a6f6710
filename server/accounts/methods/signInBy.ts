import { Failure } from '@chainboard/core'
import { findPasskey } from '../../store/passkeys.ts'
import { findWalletOwner, useSignInWallet } from '../../store/signInWallets.ts'
import type { Tx } from '../../store/store.ts'
import { findUserById, lockUser } from '../../store/users.ts'
import { openSession, type SignedIn } from '../openSession.ts'
import { parseAssertion } from '../passkeys/parseCredential.ts'
import { settleAssertion, verifyAssertion } from '../passkeys/verifyPasskey.ts'
import { judgeSiwe, type SiweAnswer } from '../wallets/judgeSiwe.ts'
import type { Caller } from './caller.ts'
import { spendChallenge } from './challenge.ts'
import type { MethodParts } from './methodParts.ts'
import type { Settle } from './proveOwner.ts'

// Neither way asks for a name or waits for anything that strangers do to the PIN.

/** Signs the owner of a passkey in. @throws Failure `request-invalid`, `signature-invalid`, `conflict` for a second time */
export async function signInByPasskey(parts: MethodParts, response: unknown, caller: Caller): Promise<SignedIn> {
  const assertion = parseAssertion(response)
  const passkey = await findPasskey(parts.store.read, assertion.id)
  const use = { kind: 'passkey', purpose: 'sign-in', userId: undefined, ...toBound(caller) } as const
  const asserted = await verifyAssertion(parts, { assertion, passkey, use })
  return enter(parts, asserted.passkey.userId, caller, (tx) => settleAssertion(tx, asserted, parts.nowSeconds()))
}

/** Signs the owner of a linked wallet in. Whether a wallet is linked is told to nobody who has not signed with it. @throws Failure as above, and as `CheckWallet` does */
export async function signInByWallet(parts: MethodParts, answer: SiweAnswer, caller: Caller): Promise<SignedIn> {
  const claim = judgeSiwe(parts, answer, { purpose: 'sign-in', user: undefined, ...toBound(caller) })
  await parts.checkWallet(claim)
  const userId = await findWalletOwner(parts.store.read, claim.wallet)
  const notLinked = new Failure(
    'signature-invalid',
    'No account is linked to this wallet. Log in with your PIN, then link it in your portfolio',
  )
  if (userId === undefined) throw notLinked
  return enter(parts, userId, caller, async (tx) => {
    await spendChallenge(tx, claim.challenge)
    if (!(await useSignInWallet(tx, { userId, address: claim.wallet, seconds: parts.nowSeconds() }))) throw notLinked
  })
}

function toBound({ party, challengeToken }: Caller) {
  return { party, challengeToken }
}

function enter(parts: MethodParts, userId: string, { visitor }: Caller, settle: Settle): Promise<SignedIn> {
  return parts.store.write(async (tx: Tx) => {
    const user = (await lockUser(tx, userId)) ? await findUserById(tx, userId) : undefined
    if (!user) throw new Failure('signature-invalid', 'This account no longer exists')
    await settle(tx)
    return openSession(parts, tx, { user, visitor })
  })
}
