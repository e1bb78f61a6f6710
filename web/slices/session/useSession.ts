import { useBrowserStore } from '../../lib/hydration.tsx'
import { readSession, type Session, signedOut, subscribeToSession } from './sessionStore.ts'

/** Who uses the page, as of now; nobody while a page that the server drew for everybody is taken over. */
export function useSession(): Session {
  return useBrowserStore(subscribeToSession, readSession, () => signedOut)
}
