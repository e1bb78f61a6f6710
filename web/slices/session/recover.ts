import type { WireUser } from '@chainboard/contract'
import { fetchJson, RequestError, sendJson } from '../../lib/fetchJson.ts'
import { recoverUrl } from '../../lib/securityUrls.ts'
import { userUrl } from '../../lib/urls.ts'
import { type AuthFailure, toAuthFailure } from './authFailure.ts'
import { isUser, untilLoggedOut } from './sessionCommands.ts'
import { showSignedIn } from './sessionStore.ts'

/** A recovery code, and the PIN that it is to set. */
export type Recovery = { readonly username: string; readonly code: string; readonly newPin: string }

/** Sets a new PIN with a recovery code and signs in. Answers why not; `undefined` when it worked. */
export async function recover({ username, code, newPin }: Recovery): Promise<AuthFailure | undefined> {
  // No browser asks for such a path, and nobody is called so.
  if (/^\.\.?$/.test(username)) return { text: 'Invalid username or recovery code', field: 'code' }
  await untilLoggedOut()
  try {
    await sendJson('POST', recoverUrl(username), { code, newPin })
    const user = await fetchJson<WireUser | null>(userUrl(username), new AbortController().signal)
    if (!isUser(user)) return { text: 'User not found', field: 'username' }
    showSignedIn(user, newPin)
    return undefined
  } catch (error) {
    const failure = toAuthFailure(error, 'Failed to set a new PIN')
    // Whether name or code is wrong is not said: the code is typed again.
    return error instanceof RequestError && error.status === 401 ? { ...failure, field: 'code' } : failure
  }
}
