import type { WireUser } from '@chainboard/contract'
import { type AuthFailure, toAuthFailure } from './authFailure.ts'
import { isUser, leaving } from './sessionCommands.ts'
import { showSignedIn } from './sessionStore.ts'

/**
 * Signs in without the PIN. Answers why not; `undefined` when it worked.
 * @param ask a passkey or a wallet, and then the server
 */
export async function signInBy(ask: () => Promise<WireUser | null>): Promise<AuthFailure | undefined> {
  await leaving
  try {
    const user = await ask()
    if (!isUser(user)) return { text: 'Login failed' }
    showSignedIn(user)
    return undefined
  } catch (error) {
    return toAuthFailure(error, 'Login failed')
  }
}
