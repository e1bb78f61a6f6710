import { useSyncExternalStore } from 'react'
import { readSession, type Session, subscribeToSession } from './sessionStore.ts'

/** Who uses the page, as of now. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, readSession)
}
