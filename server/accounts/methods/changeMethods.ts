import { randomUUID } from 'node:crypto'
import { type Address, Failure } from '@chainboard/core'
import { deletePasskey, insertPasskey, listPasskeys } from '../../store/passkeys.ts'
import { deleteSignInWallet, insertSignInWallet, listSignInWallets } from '../../store/signInWallets.ts'
import type { Tx } from '../../store/store.ts'
import type { User } from '../../store/users.ts'
import { addNotice } from '../addNotice.ts'
import { hashNewPin, setPin } from '../changePin.ts'
import { openSession, type SignedIn } from '../openSession.ts'
import { parseNewPin } from '../parsePin.ts'
import { parseRegistration, readTransports } from '../passkeys/parseCredential.ts'
import { verifyRegistration } from '../passkeys/verifyPasskey.ts'
import { changeUser } from '../pinAct.ts'
import { hashToken } from '../secretTokens.ts'
import { judgeSiwe, type SiweAnswer } from '../wallets/judgeSiwe.ts'
import type { Caller } from './caller.ts'
import { spendChallenge } from './challenge.ts'
import { parseMethodName } from './fields.ts'
import { type MethodParts, methodsMax } from './methodParts.ts'
import { type OwnerAct, proveByMethod, proveOwner } from './proveOwner.ts'

/**
 * Links a passkey. Its challenge was given out for a proof of the owner, and is good for one link.
 * @throws Failure `signature-invalid`; `conflict` for one that is linked, a challenge that was used, and a full list
 */
export async function linkPasskey(
  parts: MethodParts,
  { user, caller, response, name: typed }: { user: User; caller: Caller; response: unknown; name: unknown },
): Promise<void> {
  const name = parseMethodName(typed, 'Passkey')
  const registration = parseRegistration(response)
  const { party, challengeToken } = caller
  const use = { kind: 'passkey', purpose: 'link', userId: user.id, party, challengeToken } as const
  const { challenge, ...made } = await verifyRegistration(parts, { registration, use })
  await changeUser(parts, user, async (tx) => {
    await spendChallenge(tx, challenge)
    if ((await listPasskeys(tx, user.id)).length >= methodsMax)
      throw new Failure('conflict', `You can link up to ${methodsMax} passkeys`)
    const facts = { userId: user.id, name, transports: readTransports(response), lastUsedAtSeconds: undefined }
    if (!(await insertPasskey(tx, { id: randomUUID(), createdAtSeconds: parts.nowSeconds(), ...made, ...facts })))
      throw new Failure('conflict', 'This passkey is already linked')
    await announce(parts, tx, { user, caller, kind: 'passkeyAdded' })
  })
}

/** Links a wallet that has signed for it. @throws Failure as {@link linkPasskey}, and as `CheckWallet` does */
export async function linkWallet(
  parts: MethodParts,
  { user, caller, answer, name: typed }: { user: User; caller: Caller; answer: SiweAnswer; name: unknown },
): Promise<void> {
  const name = parseMethodName(typed, 'Wallet')
  const { party, challengeToken } = caller
  const claim = judgeSiwe(parts, answer, { purpose: 'link', user, party, challengeToken })
  await parts.checkWallet(claim)
  const wallet = {
    address: claim.wallet,
    userId: user.id,
    name,
    createdAtSeconds: parts.nowSeconds(),
    lastUsedAtSeconds: undefined,
  }
  await changeUser(parts, user, async (tx) => {
    await spendChallenge(tx, claim.challenge)
    const before = await listSignInWallets(tx, user.id)
    if (before.some(({ address }) => address === claim.wallet)) throw new Failure('conflict', 'This wallet is already linked')
    if (before.length >= methodsMax) throw new Failure('conflict', `You can link up to ${methodsMax} wallets`)
    if (!(await insertSignInWallet(tx, wallet))) throw new Failure('conflict', 'This wallet is linked to another account')
    await announce(parts, tx, { user, caller, kind: 'walletLinked' })
  })
}

type Linked = { readonly user: User; readonly caller: Caller; readonly kind: 'passkeyAdded' | 'walletLinked' }

/** Tells the owner's other sessions: a thief's passkey or wallet still works after the PIN is changed. */
function announce(parts: MethodParts, tx: Tx, { user, caller, kind }: Linked): Promise<void> {
  const { browserName = '', sessionToken } = caller.visitor
  const sessionHash = sessionToken === undefined ? '' : hashToken(sessionToken)
  return addNotice(tx, { user, kind, browserName, sessionHash, nowSeconds: parts.nowSeconds() })
}

/** What is to be removed: a passkey by its record, or a wallet. */
export type MethodName = { readonly passkey: string } | { readonly wallet: Address }

/** Removes a way in; the one that proves it may be the one that goes. @throws Failure `not-found`; as `proveOwner` does */
export async function removeMethod(parts: MethodParts, act: Omit<OwnerAct, 'purpose'>, name: MethodName): Promise<void> {
  const { id } = act.user
  const settle = await proveOwner(parts, { ...act, purpose: 'confirm-removal' })
  await changeUser(parts, act.user, async (tx) => {
    await settle(tx)
    if (!('passkey' in name ? await deletePasskey(tx, id, name.passkey) : await deleteSignInWallet(tx, id, name.wallet)))
      throw new Failure(
        'not-found',
        'passkey' in name ? 'This passkey is not linked to your account' : 'This wallet is not linked to your account',
      )
  })
}

/**
 * A new PIN for who has forgotten the old one. It ends all sessions but the one that it opens, and every sign-in code.
 * @throws Failure `request-invalid` for what is no PIN, or easy to guess; as `proveByMethod` does
 */
export async function resetPin(parts: MethodParts, act: Omit<OwnerAct, 'purpose'>, typed: unknown): Promise<SignedIn> {
  const { user, caller } = act
  const { visitor } = caller
  const pin = parseNewPin(typed, user.username)
  const settle = await proveByMethod(parts, { ...act, purpose: 'confirm-pin' })
  const pinHash = await hashNewPin(parts, { user, visitor, pin })
  return changeUser(parts, user, async (tx) => {
    await settle(tx)
    const signedIn = await openSession(parts, tx, { user: { ...user, pinHash }, visitor, isFirst: true })
    await setPin(parts, tx, { user, visitor, pinHash, sessionHash: hashToken(signedIn.sessionToken), kind: 'pinReset' })
    return signedIn
  })
}
