import { useCallback } from 'react'
import { useBrowserStore } from './hydration.tsx'

/** Screens that show cards in place of tables. */
export const phoneQuery = '(max-width: 640px)'

const lists = new Map<string, MediaQueryList>()

/** One for each question: making one costs more than asking it a hundred times. */
function toList(query: string): MediaQueryList {
  const known = lists.get(query) ?? matchMedia(query)
  lists.set(query, known)
  return known
}

/** Whether the screen is as `query` says, now and whenever that changes; not before a page that the server drew is taken over. */
export function useMediaQuery(query: string): boolean {
  return useMedia(query) ?? false
}

const notYet = () => undefined

/** Whether it is a phone; undefined while nobody knows: what the server draws is for every screen, and CSS shows one half of it. */
export const usePhone = (): boolean | undefined => useMedia(phoneQuery)

function useMedia(query: string): boolean | undefined {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = toList(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useBrowserStore(subscribe, () => toList(query).matches, notYet)
}
