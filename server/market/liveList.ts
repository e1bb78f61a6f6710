import type { Address } from '@chainboard/core'
import type { ListedToken, TokenList } from './tokenList.ts'

/** PORT to the token list as it is now. Who keeps something that follows from a list works it out again for another one. */
export type LiveList = {
  /** Another object for every list; a list itself does not change. */
  current(): TokenList
  /** A token of the current list. */
  find(token: Address): ListedToken | undefined
  /** Calls `listener` after every change. @returns ends that */
  watch(listener: () => void): () => void
}

export type LiveListHolder = LiveList & {
  /** Puts another list in place, for everybody at once. */
  put(list: TokenList): void
}

export function createLiveList(first: TokenList): LiveListHolder {
  let list = first
  const listeners = new Set<() => void>()
  const byId = fromList(
    () => list,
    ({ tokens }) => new Map(tokens.map((token) => [token.id, token])),
  )
  return {
    current: () => list,
    find: (token) => byId().get(token),
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    put: (next) => {
      list = next
      for (const listener of listeners) listener()
    },
  }
}

/** What follows from a value, worked out once for each: again when `current` has another one. */
export function fromList<L, T>(current: () => L, work: (list: L) => T): () => T {
  let kept: { readonly of: L; readonly made: T } | undefined
  return () => {
    const of = current()
    if (kept?.of !== of) kept = { of, made: work(of) }
    return kept.made
  }
}
