import type { WireSignInCode, WireUser } from '@chainboard/contract'
import { fetchJson, RequestError, sendJson } from '../../lib/fetchJson.ts'
import { notify } from '../../lib/notice.ts'
import { queryClient } from '../../lib/queryClient.ts'
import { logoutUrl, signInCodeUrl, usersUrl, userUrl, verifyPinUrl } from '../../lib/urls.ts'
import { type AuthFailure, toAuthFailure } from './authFailure.ts'
import { readSession, showLoading, showSignedIn, showSignedOut } from './sessionStore.ts'
import { followStoredUsername } from './storedUsername.ts'

export type Credentials = { readonly username: string; readonly pin: string; readonly code?: string }

/** The last logout's call: a login waits for it, so that its answer cannot take the new session away. */
let leaving: Promise<unknown> = Promise.resolve()

/** Ends when the server has heard of the last logout. */
export const untilLoggedOut = () => leaving

export function isUser(value: WireUser | null | undefined): value is WireUser {
  return typeof value?.username === 'string' && Array.isArray(value.wallets)
}

/** Asks whether the stored name is still signed in, and follows what other tabs do from now on. Returns what stops that. */
export function startSession(): () => void {
  if (readSession().kind === 'loading') void restore()
  return followStoredUsername((username) => {
    const session = readSession()
    if (username === undefined) return showSignedOut()
    if (session.kind !== 'signedOut' && session.username === username) return
    showLoading(username)
    void restore()
  })
}

async function restore(): Promise<void> {
  const asked = readSession()
  if (asked.kind !== 'loading') return
  const { username } = asked
  const user = await queryClient
    .fetchQuery({
      queryKey: ['user', username],
      queryFn: ({ signal }): Promise<WireUser> => fetchJson(userUrl(username), signal),
      staleTime: 0,
      gcTime: 0,
    })
    .catch(() => undefined)
  // Somebody has logged in or out since.
  if (readSession() !== asked) return
  if (isUser(user)) showSignedIn(user)
  else showSignedOut()
}

/** Proves the PIN and signs in. Answers why not; `undefined` when it worked. */
export async function login({ username, pin, code }: Credentials): Promise<AuthFailure | undefined> {
  // No browser asks for such a path, and nobody is called so.
  if (/^\.\.?$/.test(username)) return { text: 'Invalid PIN', field: 'pin' }
  await leaving
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
  await leaving
  try {
    const user = await sendJson<WireUser | null>('POST', usersUrl, { username, pin })
    if (!isUser(user)) return { text: 'Registration failed' }
    showSignedIn(user, pin)
    return undefined
  } catch (error) {
    return toAuthFailure(error, 'Registration failed')
  }
}

/** Logs out at once; the server hears of it after. */
export function logout(): void {
  showSignedOut()
  leaving = sendJson('POST', logoutUrl).catch(() => notify('Logged out on this page, but the server did not confirm it.', 'note'))
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
