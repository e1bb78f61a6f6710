import { lruLimit } from '@chainboard/core'
import { LRUCache } from 'lru-cache'

/** Clients and networks that are counted at a time; the one not seen for longest is forgotten first. */
const subjectsMax = 20_000
/** What was used so long ago counts for a third, and after five times as long for nothing. */
const forgetMs = 60_000
/** A call's turn comes so many times later as its client has used of the places. */
const delayTimes = 10
/** But no later than this: who waits for longer is before everybody who comes then, whatever both have used. */
export const delayMsMax = 10_000
/** As in the budgets, a network may use four times what a client may. */
const networkTimes = 4

/** Whose call it is. */
export type Subject = { readonly client: string; readonly network: string }

/** What clients and their networks have used of the places lately. */
export type PlaceUse = {
  /** A call of theirs takes a place. */
  enter(subject: Subject): void
  /** A place of theirs is free again. */
  leave(subject: Subject): void
  /** How long after a call has come its turn is, in milliseconds: 0 for who has used nothing, 10,000 at most. */
  delayMs(subject: Subject): number
}

export type PlaceUseDeps = {
  /** Milliseconds of any clock that never goes back. */
  readonly nowMs: () => number
  /** How many times as many places there are as with a fast node: each millisecond of one counts for that much less. */
  readonly widthTimes: () => number
  /** What the start of a call counts for, in milliseconds of a place. */
  readonly startMs: number
}

/** `usedMs` at `atMs`, and how many places have been in use since. */
type Use = { usedMs: number; places: number; atMs: number }

/** Nothing is used yet. */
export function createPlaceUse({ nowMs, widthTimes, startMs }: PlaceUseDeps): PlaceUse {
  const ofClients = new LRUCache<string, Use>(lruLimit(subjectsMax))
  const ofNetworks = new LRUCache<string, Use>(lruLimit(subjectsMax))
  const usedNow = ({ usedMs, places, atMs }: Use): number => {
    const passedMs = nowMs() - atMs
    return usedMs * Math.exp(-passedMs / forgetMs) + (places * passedMs) / widthTimes()
  }
  const change = (uses: LRUCache<string, Use>, name: string, by: { readonly places: number; readonly ms: number }) => {
    const known = uses.get(name)
    const usedMs = (known ? usedNow(known) : 0) + by.ms
    // A subject that was forgotten while it had places has none to leave.
    uses.set(name, { usedMs, places: Math.max(0, (known?.places ?? 0) + by.places), atMs: nowMs() })
  }
  const changeBoth = ({ client, network }: Subject, by: { readonly places: number; readonly ms: number }) => {
    change(ofClients, client, by)
    change(ofNetworks, network, by)
  }
  const read = (uses: LRUCache<string, Use>, name: string): number => {
    const use = uses.peek(name)
    return use ? usedNow(use) : 0
  }
  return {
    enter: (subject) => changeBoth(subject, { places: 1, ms: startMs }),
    leave: (subject) => changeBoth(subject, { places: -1, ms: 0 }),
    delayMs: ({ client, network }) => {
      const usedMs = Math.max(read(ofClients, client), read(ofNetworks, network) / networkTimes)
      return Math.min(delayMsMax, delayTimes * usedMs)
    },
  }
}
