import { useBrowserStore } from './hydration.tsx'

/** One of a few words kept in localStorage, shared by every tab. What is not among `choices` counts as never chosen. */
export type StoredChoice<T extends string> = {
  readonly read: () => T | undefined
  readonly write: (choice: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** A choice under a key of localStorage. Where storage is blocked it lives as long as the page. */
export function createStoredChoice<T extends string>(key: string, choices: readonly T[]): StoredChoice<T> {
  const listeners = new Set<() => void>()
  let current = restore()

  function restore(): T | undefined {
    try {
      const stored = localStorage.getItem(key)
      return choices.find((choice) => choice === stored)
    } catch {
      return undefined // storage is blocked: the choice lives as long as the page
    }
  }

  function tell(): void {
    for (const listener of listeners) listener()
  }

  function followOtherTabs(event: StorageEvent): void {
    if (event.key !== key && event.key !== null) return
    current = restore()
    tell()
  }

  return {
    read: () => current,
    write(choice) {
      current = choice
      try {
        localStorage.setItem(key, choice)
      } catch {
        // as above
      }
      tell()
    },
    subscribe(listener) {
      if (listeners.size === 0) addEventListener('storage', followOtherTabs)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) removeEventListener('storage', followOtherTabs)
      }
    },
  }
}

const notRead = () => undefined

/** What is chosen now; undefined before anything was, and while a page that the server drew for everybody is taken over. */
export function useStoredChoice<T extends string>(choice: StoredChoice<T>): T | undefined {
  return useBrowserStore(choice.subscribe, choice.read, notRead)
}
