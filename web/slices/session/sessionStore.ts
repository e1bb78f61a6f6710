import type { WireUser } from '@chainboard/contract'
import { forgetUsername, readStoredUsername, storeUsername } from './storedUsername.ts'

/** Who uses the page. `loading`: a stored name is there, and the server is asked whether it is still signed in. */
export type Session =
  | { readonly kind: 'loading'; readonly username: string }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'signedIn'; readonly username: string; readonly wallets: readonly string[] }

/** Nobody uses it, as far as is known. */
export const signedOut: Session = { kind: 'signedOut' }

const stored = readStoredUsername()
let session: Session = stored === undefined ? signedOut : { kind: 'loading', username: stored }
/** In memory alone: it goes with the page. */
let pin: string | undefined
const listeners = new Set<() => void>()

function show(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

/** Who uses the page, as far as that is known now. */
export function readSession(): Session {
  return session
}

/** The PIN this page signed in with; `undefined` after a reload. */
export function readPin(): string | undefined {
  return pin
}

/** The PIN was changed on this page. */
export function rememberPin(newPin: string): void {
  if (session.kind === 'signedIn') pin = newPin
}

/** Calls `listener` after every change. @returns ends that */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A name whose session is being asked for. The returned state is `readSession()` for as long as nothing else has happened. */
export function showLoading(username: string): Session {
  pin = undefined
  show({ kind: 'loading', username })
  return session
}

/** @param provenPin the PIN that was just proven; absent when a session was restored */
export function showSignedIn({ username, wallets }: WireUser, provenPin?: string): void {
  pin = provenPin
  storeUsername(username)
  show({ kind: 'signedIn', username, wallets })
}

/** Forgets the user, the stored name and the PIN. */
export function showSignedOut(): void {
  pin = undefined
  if (session.kind === 'signedOut') return
  forgetUsername(session.username)
  show(signedOut)
}

/** The signed-in user as the server answered after a wallet was added or removed. */
export function replaceUser({ username, wallets }: WireUser): void {
  if (session.kind === 'signedIn' && session.username === username) show({ kind: 'signedIn', username, wallets })
}
