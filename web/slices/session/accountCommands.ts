import type { WireSignInCode, WireUser } from '@chainboard/contract'
import { fetchJson, RequestError, sendJson } from '../../lib/fetchJson.ts'
import { signInCodeUrl } from '../../lib/securityUrls.ts'
import { usersUrl, userUrl, verifyPinUrl } from '../../lib/urls.ts'
import { type AuthFailure, toAuthFailure } from './authFailure.ts'
import { isUser, untilLoggedOut } from './sessionCommands.ts'
import { readSession, showSignedIn, showSignedOut } from './sessionStore.ts'

// What a form asks for. Whoever only looks at the page does not load it.

export type Credentials = { readonly username: string; readonly pin: string; readonly code?: string }

/** Proves the PIN and signs in. Answers why not; `undefined` when it worked. */
export async function login({ username, pin, code }: Credentials): Promise<AuthFailure | undefined> {
  // No browser asks for such a path, and nobody is called so.
  if (/^\.\.?$/.test(username)) return { text: 'Invalid PIN', field: 'pin' }
  await untilLoggedOut()
  try {
    const answer = await sendJson<{ success?: boolean } | null>('POST', verifyPinUrl(username), { pin, ...(code && { code }) })
    if (answer?.success !== true) return { text: 'Invalid PIN', field: 'pin' }
  } catch (error) {
    return toAuthFailure(error, 'Login failed')
  }
  try {
    const user = await fetchJson<WireUser | null>(userUrl(username), new AbortController().signal)
    if (!isUser(user)) return { text: 'User not found', field: 'username' }
    showSignedIn(user, pin)
    return undefined
  } catch (error) {
    const { text } = toAuthFailure(error, 'Authentication failed')
    return { text }
  }
}

/** Creates an account and signs in. Answers why not; `undefined` when it worked. */
export async function register({ username, pin }: Credentials): Promise<AuthFailure | undefined> {
  await untilLoggedOut()
  try {
    const user = await sendJson<WireUser | null>('POST', usersUrl, { username, pin })
    if (!isUser(user)) return { text: 'Registration failed' }
    showSignedIn(user, pin)
    return undefined
  } catch (error) {
    return toAuthFailure(error, 'Registration failed')
  }
}

/** @throws RequestError with the server's text, as for a wrong PIN; also when nobody is signed in */
export async function deleteAccount(pin: string): Promise<void> {
  await sendJson('DELETE', userUrl(requireUsername()), { pin })
  showSignedOut()
}

/** A code with which this user may sign in elsewhere while somebody else is guessing at the PIN. @throws as {@link deleteAccount} */
export async function makeSignInCode(pin: string): Promise<WireSignInCode> {
  return sendJson('POST', signInCodeUrl(requireUsername()), { pin })
}

function requireUsername(): string {
  const session = readSession()
  if (session.kind !== 'signedIn') throw new RequestError('nobody is signed in')
  return session.username
}
