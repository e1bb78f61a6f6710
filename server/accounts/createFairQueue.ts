import { daySeconds, hourSeconds, lruLimit } from '@chainboard/core'
import { LRUCache } from 'lru-cache'

export type FairQueueLimits = {
  /** Callers that may wait. */
  readonly waitingMax: number
  /** Of them, for one account or made-up name. */
  readonly waitingOfSubjectMax: number
  /** Of them, from one client. */
  readonly waitingOfClientMax: number
}

/** Turns are remembered of so many. */
const turnsKeptMax = 65_536
/** Whose last turns are so long ago is as good as who had none. */
const windowSeconds = 30 * daySeconds
/** A turn puts whoever has it back by so much: 60 of them by the whole window. */
const turnSeconds = 12 * hourSeconds

export type Waiting = {
  readonly subject: string
  readonly client: string
  /** Whose turn it is: what costs most to have many of. `sinceSeconds` is when it came to be, in unix seconds. */
  readonly turnOf: { readonly name: string; readonly sinceSeconds: number }
  readonly start: () => void
  readonly sendAway: () => void
}

/**
 * Callers that wait for a turn. Next is the one that has existed for longest and had fewest turns since: many new ones, or one that
 * never stops, wait behind one that comes now and then, and lose their places to it.
 */
export type FairQueue = {
  count(): number
  /** Whether this client has all the places he may have. */
  isFullFor(client: string): boolean
  /** False when there is no place. The last one in the queue may lose its place to the new caller, and is refused. */
  add(caller: Waiting): boolean
  /** Does nothing when he is not there any more. */
  remove(caller: Waiting): void
  takeNext(): Waiting | undefined
}

/** An empty queue. @param nowSeconds unix seconds */
export function createFairQueue(limits: FairQueueLimits, nowSeconds: () => number): FairQueue {
  /** In the order in which they came; the lower the rank, the sooner the turn. */
  const ranks = new Map<Waiting, number>()
  /** The rank of the next turn of each. */
  const nextRanks = new LRUCache<string, number>(lruLimit(turnsKeptMax))
  const ofSubject = new Map<string, number>()
  const ofClient = new Map<string, number>()
  const leave = (caller: Waiting) => {
    ranks.delete(caller)
    count(ofSubject, caller.subject, -1)
    count(ofClient, caller.client, -1)
  }
  const isFullFor = (client: string) => (ofClient.get(client) ?? 0) >= limits.waitingOfClientMax
  const remove = (caller: Waiting): void => {
    if (!ranks.has(caller)) return
    leave(caller)
    // He had no turn.
    const { name } = caller.turnOf
    nextRanks.set(name, (nextRanks.peek(name) ?? 0) - turnSeconds)
  }
  const rankOf = ({ turnOf: { name, sinceSeconds } }: Waiting) =>
    Math.max(nextRanks.peek(name) ?? 0, sinceSeconds, nowSeconds() - windowSeconds)
  const findFirst = (): Waiting | undefined => {
    let [first, least]: [Waiting | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
    for (const [caller, rank] of ranks) if (rank < least) [first, least] = [caller, rank]
    return first
  }
  const findLast = (): [Waiting | undefined, number] => {
    let [last, most]: [Waiting | undefined, number] = [undefined, Number.NEGATIVE_INFINITY]
    for (const [caller, rank] of ranks) if (rank >= most) [last, most] = [caller, rank]
    return [last, most]
  }
  return {
    count: () => ranks.size,
    isFullFor,
    add: (caller) => {
      if (isFullFor(caller.client)) return false
      if ((ofSubject.get(caller.subject) ?? 0) >= limits.waitingOfSubjectMax) return false
      const rank = rankOf(caller)
      if (ranks.size >= limits.waitingMax) {
        const [last, most] = findLast()
        if (!last || rank >= most) return false
        remove(last)
        last.sendAway()
      }
      ranks.set(caller, rank)
      nextRanks.set(caller.turnOf.name, rank + turnSeconds)
      count(ofSubject, caller.subject, 1)
      count(ofClient, caller.client, 1)
      return true
    },
    remove,
    takeNext: () => {
      const next = findFirst()
      if (next) leave(next)
      return next
    },
  }
}

function count(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + by
  if (left > 0) counts.set(name, left)
  else counts.delete(name)
}
