import { Failure } from '@chainboard/core'
import type { AccountNoticesTable } from '../store/accountSchema.ts'
import { deleteOtherSessions } from '../store/sessions.ts'
import { deleteSignInCodesOf } from '../store/signInCodes.ts'
import type { Tx } from '../store/store.ts'
import { replacePinHash, type User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { addNotice, endAskForBetterPin } from './addNotice.ts'
import { parseNewPin } from './parsePin.ts'
import { changeUser, provePin } from './pinAct.ts'
import { hashToken } from './secretTokens.ts'
import type { Visitor } from './visitor.ts'

/**
 * What a caller proves to be the owner with: the PIN, which is looked at and counted; or something that strangers cannot guess (a
 * passkey, a linked wallet, a recovery code), which the calling module has checked.
 */
export type OwnerProof = { readonly kind: 'pin'; readonly pin: unknown } | { readonly kind: 'proven' }

/** A new PIN for an account, and who wants it. */
export type PinChange = {
  readonly user: User
  readonly visitor: Visitor
  readonly proof: OwnerProof
  /** As typed. */
  readonly newPin: unknown
}

/**
 * Sets a new PIN. All other sessions end, and so does a sign-in code: anyone who knew the old PIN is logged out.
 * @throws Failure `request-invalid` for what is no PIN, and for one that is easy to guess; `conflict` when the PIN was changed
 *   meanwhile; as `provePin` does
 */
export async function changePin(parts: AccountParts, { user, visitor, proof, newPin }: PinChange): Promise<void> {
  const pinHash = await proveAndHash(parts, { user, visitor, proof, newPin })
  const sessionHash = visitor.sessionToken === undefined ? '' : hashToken(visitor.sessionToken)
  await changeUser(parts, user, (tx) => setPin(parts, tx, { user, visitor, pinHash, sessionHash, kind: 'pinChanged' }))
}

async function proveAndHash(parts: AccountParts, { user, visitor, proof, newPin }: PinChange): Promise<string> {
  const pin = parseNewPin(newPin, user.username)
  if (proof.kind === 'pin') await provePin(parts, { user, pin: proof.pin, visitor })
  return hashNewPin(parts, { user, visitor, pin })
}

/** A turn like that of a PIN that is checked. @throws Failure `busy` */
export function hashNewPin(
  { queue, hasher }: AccountParts,
  { user, visitor, pin }: { readonly user: User; readonly visitor: Visitor; readonly pin: string },
): Promise<string> {
  const { client, gone } = visitor
  const caller = { kind: 'recognized', subject: user.key, client, sinceSeconds: user.createdAtSeconds, gone } as const
  return queue.run(caller, () => hasher.hash(pin))
}

type NewPin = {
  readonly user: User
  readonly visitor: Visitor
  readonly pinHash: string
  /** The session that stays; the others are told. */
  readonly sessionHash: string
  readonly kind: AccountNoticesTable['kind']
}

/** The part of a change that is written, whole or not at all. @throws Failure `conflict` */
export async function setPin(parts: AccountParts, tx: Tx, { user, visitor, pinHash, sessionHash, kind }: NewPin): Promise<void> {
  if (!(await replacePinHash(tx, user, pinHash)))
    throw new Failure('conflict', 'The PIN was changed in the meantime. Log in again')
  await deleteOtherSessions(tx, user.id, sessionHash)
  await deleteSignInCodesOf(tx, user.id)
  await endAskForBetterPin(tx, user)
  await addNotice(tx, { user, kind, browserName: visitor.browserName ?? '', sessionHash, nowSeconds: parts.nowSeconds() })
}
