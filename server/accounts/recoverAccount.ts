import { Failure } from '@chainboard/core'
import { isRecoveryCodeOf, replaceRecoveryCodes, useRecoveryCode } from '../store/recoveryCodes.ts'
import { findUser, lockUser } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { addNotice } from './addNotice.ts'
import { hashNewPin, setPin } from './changePin.ts'
import { openSession, type SignedIn } from './openSession.ts'
import { parseNewPin } from './parsePin.ts'
import { findUsername } from './parseUsername.ts'
import { changeUser, type PinAct, provePin } from './pinAct.ts'
import { hashRecoveryCode } from './recoveryHash.ts'
import { hashSignInCode, hashToken, makeRecoveryCode } from './secretTokens.ts'
import type { Visitor } from './visitor.ts'

/** Codes that a user has at a time. */
export const recoveryCodesMax = 8

/** New codes, shown this once; those before them end. @throws Failure as `provePin` does */
export async function makeRecoveryCodes(parts: AccountParts, act: PinAct): Promise<string[]> {
  await provePin(parts, act)
  const { user, visitor } = act
  const codes = Array.from({ length: recoveryCodesMax }, makeRecoveryCode)
  const sessionHash = visitor.sessionToken === undefined ? '' : hashToken(visitor.sessionToken)
  await changeUser(parts, user, async (tx) => {
    const hashes = codes.map((code) => hashRecoveryCode(parts, code))
    await replaceRecoveryCodes(tx, user.id, hashes)
    const nowSeconds = parts.nowSeconds()
    await addNotice(tx, { user, kind: 'codesMade', browserName: visitor.browserName ?? '', sessionHash, nowSeconds })
  })
  return codes
}

export type Recovery = { readonly name: string; readonly code: unknown; readonly newPin: unknown; readonly visitor: Visitor }

const codeLengthMax = 40

/**
 * Uses up a recovery code: sets a new PIN and signs in. Wrong PINs of others make nobody wait here, because the code has 60 bits.
 * @throws Failure `request-invalid`; `pin-invalid` for a wrong or used code and a name that nobody has, alike; `busy`
 */
export async function recoverAccount(parts: AccountParts, { name, code, newPin, visitor }: Recovery): Promise<SignedIn> {
  if (typeof code !== 'string' || code.trim() === '' || code.length > codeLengthMax)
    throw new Failure('request-invalid', 'Code: expected a recovery code, like 7KQ2-XW4P-R9HM')
  const pin = parseNewPin(newPin, name)
  const wrong = new Failure('pin-invalid', 'Invalid username or recovery code')
  const key = findUsername(name)?.key
  const user = key === undefined ? undefined : await findUser(parts.store.read, key)
  // A server of an earlier version may have stored it a moment ago.
  const codeHashes = [hashRecoveryCode(parts, code), hashSignInCode(code)]
  if (!(await isRecoveryCodeOf(parts.store.read, user?.id ?? '', codeHashes)) || !user) throw wrong
  const pinHash = await hashNewPin(parts, { user, visitor, pin })
  return parts.store.write(async (tx) => {
    if (!(await lockUser(tx, user.id))) throw wrong
    if (!(await useRecoveryCode(tx, user.id, codeHashes))) throw wrong
    const signedIn = await openSession(parts, tx, { user, visitor, isFirst: true })
    await setPin(parts, tx, { user, visitor, pinHash, sessionHash: hashToken(signedIn.sessionToken), kind: 'recovered' })
    return signedIn
  })
}
