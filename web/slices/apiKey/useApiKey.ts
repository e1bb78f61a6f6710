import { useSyncExternalStore } from 'react'

// The visitor's key for the examples: in memory alone, gone with the page.

let key = ''
const listeners = new Set<() => void>()

/** Remembers a key for the examples, in this tab alone. */
export function setApiKey(next: string): void {
  key = next.trim()
  for (const listener of listeners) listener()
}

/** Empty when the visitor has given none. */
export function useApiKey(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => key,
  )
}
