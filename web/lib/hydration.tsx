import { createContext, type ReactNode, startTransition, useContext, useState, useSyncExternalStore } from 'react'

const Hydrated = createContext({ hydrated: true, take: () => {} })

/** Around a page that may have been `drawn` at the server: until it is taken, it shows what everybody sees. */
export function Hydration({ drawn, children }: { readonly drawn: boolean; readonly children: ReactNode }) {
  const [hydrated, setHydrated] = useState(!drawn)
  return <Hydrated value={{ hydrated, take: () => setHydrated(true) }}>{children}</Hydrated>
}

/** Whether this browser draws the page: not at the server, and not while what that drew is taken over. */
export const useHydrated = (): boolean => useContext(Hydrated).hydrated

/** Makes the page this browser's, in small steps: it can be pressed meanwhile. */
export function useTake(): () => void {
  const { take } = useContext(Hydrated)
  return () => startTransition(take)
}

/**
 * What only this browser knows, now and whenever that changes.
 * @param whileDrawn what counts while a page that the server drew is taken over. React would put `read` in its place at once, for the whole page.
 */
export function useBrowserStore<T>(subscribe: (listener: () => void) => () => void, read: () => T, whileDrawn: () => T): T {
  return useSyncExternalStore(subscribe, useHydrated() ? read : whileDrawn, whileDrawn)
}
