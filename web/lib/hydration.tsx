import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether this browser draws the page: not at the server, and not while what that drew is taken over. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
