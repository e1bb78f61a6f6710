import { LRUCache } from 'lru-cache'

export type RoomLimits = {
  /** Callers that may wait. */
  readonly waitingMax: number
  /** Of them, for one account or made-up name. */
  readonly waitingOfSubjectMax: number
  /** Of them, from one client. */
  readonly waitingOfClientMax: number
}

/** Clients whose last turn is remembered. */
const turnsKeptMax = 16_384

export type Waiting = {
  readonly subject: string
  readonly client: string
  readonly start: () => void
  readonly sendAway: () => void
}

/**
 * Who waits for a turn. Turns go round between clients: next is whoever had none for longest, so that who comes once goes before a
 * crowd that never stops. Nobody's many calls cost anybody else his place.
 */
export type WaitingRoom = {
  count(): number
  /** Whether this client has all the places he may have: one when all are taken. */
  isFullFor(client: string): boolean
  /** False when there is no place; whoever has most may lose one for it, and is sent away. */
  add(caller: Waiting): boolean
  /** Does nothing when he is not there any more. */
  remove(caller: Waiting): void
  takeNext(): Waiting | undefined
}

export function createWaitingRoom({ waitingMax, waitingOfSubjectMax, waitingOfClientMax }: RoomLimits): WaitingRoom {
  /** By client, in the order in which they came; each has somebody waiting. */
  const lines = new Map<string, Waiting[]>()
  /** The number of a client's last turn. */
  const lastTurns = new LRUCache<string, number>({ max: turnsKeptMax })
  let turn = 0
  const findNextClient = (): string | undefined => {
    let next: string | undefined
    let longest = Number.POSITIVE_INFINITY
    for (const client of lines.keys()) {
      const last = lastTurns.peek(client) ?? 0
      if (last < longest) [next, longest] = [client, last]
    }
    return next
  }
  const ofSubject = new Map<string, number>()
  let count = 0
  const change = (by: 1 | -1, { subject }: Waiting) => {
    count += by
    const left = (ofSubject.get(subject) ?? 0) + by
    if (left > 0) ofSubject.set(subject, left)
    else ofSubject.delete(subject)
  }
  /** The last of whoever has most; undefined when nobody has more than one. */
  const removeLastOfMost = (): Waiting | undefined => {
    const most = [...lines.values()].reduce((a, b) => (b.length > a.length ? b : a), [])
    const last = most.length > 1 ? most.pop() : undefined
    if (last) change(-1, last)
    return last
  }
  const remove = (caller: Waiting): void => {
    const line = lines.get(caller.client)
    const place = line?.indexOf(caller) ?? -1
    if (!line || place < 0) return
    line.splice(place, 1)
    if (line.length === 0) lines.delete(caller.client)
    change(-1, caller)
  }
  return {
    count: () => count,
    isFullFor: (client) => {
      const own = lines.get(client)?.length ?? 0
      return own >= waitingOfClientMax || (own > 0 && count >= waitingMax)
    },
    add: (caller) => {
      const line = lines.get(caller.client) ?? []
      if (line.length >= waitingOfClientMax || (ofSubject.get(caller.subject) ?? 0) >= waitingOfSubjectMax) return false
      if (count >= waitingMax) {
        const last = line.length === 0 ? removeLastOfMost() : undefined
        if (!last) return false
        last.sendAway()
      }
      lines.set(caller.client, line)
      line.push(caller)
      change(1, caller)
      return true
    },
    remove,
    takeNext: () => {
      const client = findNextClient()
      const next = client === undefined ? undefined : lines.get(client)?.[0]
      if (!next) return undefined
      remove(next)
      turn += 1
      lastTurns.set(next.client, turn)
      return next
    },
  }
}
