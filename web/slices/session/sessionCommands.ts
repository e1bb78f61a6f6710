import type { WireUser } from '@chainboard/contract'
import { fetchJson, sendJson } from '../../lib/fetchJson.ts'
import { notify } from '../../lib/notice.ts'
import { queryClient } from '../../lib/queryClient.ts'
import { logoutUrl, userUrl } from '../../lib/urls.ts'
import { readSession, showLoading, showSignedIn, showSignedOut } from './sessionStore.ts'
import { followStoredUsername } from './storedUsername.ts'

/** The last logout's call: a login waits for it, so that its answer cannot take the new session away. */
export let leaving: Promise<unknown> = Promise.resolve()

/** Resolves once the server has heard of the last logout. */
export const untilLoggedOut = (): Promise<unknown> => leaving

/** Whether an answer is what the server says of a user. */
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

/** Logs out at once; the server hears of it after. */
export function logout(): void {
  showSignedOut()
  leaving = sendJson('POST', logoutUrl).catch(() => notify('Logged out on this page, but the server did not confirm it.', 'note'))
}
