import { replaceSignInCode } from '../store/signInCodes.ts'
import type { User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { changeUser } from './pinAct.ts'
import { hashSignInCode, makeSignInCode } from './secretTokens.ts'

export type MadeCode = { readonly code: string; readonly expiresAtSeconds: number }

const codeSeconds = 15 * 60

/** A code with which the user may try the PIN from anywhere for some minutes, whatever others have tried. It ends the one before. */
export async function makeCode(parts: Pick<AccountParts, 'store' | 'nowSeconds'>, user: User): Promise<MadeCode> {
  const code = makeSignInCode()
  const expiresAtSeconds = parts.nowSeconds() + codeSeconds
  await changeUser(parts, user, (tx) =>
    replaceSignInCode(tx, { codeHash: hashSignInCode(code), userId: user.id, expiresAtSeconds }),
  )
  return { code, expiresAtSeconds }
}
