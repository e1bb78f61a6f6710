import { navigate } from 'wouter/use-browser-location'
import { useBrowserStore } from '../lib/hydration.tsx'
import { parseSearchText, toSearchText } from '../lib/searchText.ts'
import { homePath } from '../lib/urls.ts'
import { type HomeSearch, readHomeSearch } from './homeSearch.ts'

/** Set on the entry that opened a modal from within the app: closing it goes back. */
type OpenedState = { readonly opened: boolean }

export type HomeChanges = { [key in keyof HomeSearch]?: HomeSearch[key] | undefined }

/** A search gets into the address when the typing rests: browsers allow few changes of it, and each costs time. */
const typingRestMs = 300
/** What is typed, and the address it will take the place of. */
let typed: { readonly text: string; readonly over: string; readonly timer: ReturnType<typeof setTimeout> } | undefined
const listeners = new Set<() => void>()
/** Events of the browser, and what `wouter` makes of calls to the history. */
const changes = ['popstate', 'pushState', 'replaceState']

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  for (const type of changes) addEventListener(type, listener)
  return () => {
    listeners.delete(listener)
    for (const type of changes) removeEventListener(type, listener)
  }
}

/** The home page's address, with what is being typed. */
function readText(): string {
  return typed?.over === location.href ? typed.text : location.search
}

function putTyped(): void {
  if (!typed) return
  clearTimeout(typed.timer)
  const { text, over } = typed
  typed = undefined
  if (over === location.href) navigate(`${homePath}${text}`, { replace: true, state: history.state })
}

/** What the address of the home page asks for, with what is being typed. */
export function readAddress(): HomeSearch {
  return readHomeSearch(parseSearchText(readText()))
}

/** Whether the open modal was opened from within the app. */
export function isOpened(): boolean {
  return history.state?.opened === true
}

/**
 * @param whileDrawn what counts while a page that the server drew is taken over, if that is not the address
 * @returns what `read` finds in the address, now and whenever that changes
 */
export function useAddress<T extends string | boolean>(read: () => T, whileDrawn = read): T {
  return useBrowserStore(subscribe, read, whileDrawn)
}

/** The home page's address as text, with what is being typed. */
export const useAddressText = (): string => useAddress(readText)

/** Goes to the home page in another state. `opened`: a modal, which closing leaves by one step back. */
export function goHome(
  next: HomeChanges,
  { replace, opened = false }: { readonly replace: boolean; readonly opened?: boolean },
): void {
  // One step back leads to what was typed before.
  putTyped()
  const state: OpenedState = { opened }
  navigate(`${homePath}${toSearchText(readHomeSearch(next))}`, { replace, state })
}

/** Shows what is being typed at once. */
export function typeHome(next: HomeChanges): void {
  clearTimeout(typed?.timer)
  typed = { text: toSearchText(readHomeSearch(next)), over: location.href, timer: setTimeout(putTyped, typingRestMs) }
  for (const listener of listeners) listener()
}
