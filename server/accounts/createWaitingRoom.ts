export type RoomLimits = {
  /** Callers that may wait. */
  readonly waitingMax: number
  /** Of them, for one account or made-up name. */
  readonly waitingOfSubjectMax: number
  /** Of them, from one client. */
  readonly waitingOfClientMax: number
}

export type Waiting = {
  readonly subject: string
  readonly client: string
  readonly start: () => void
  readonly sendAway: () => void
}

/** Who waits for a turn. Turns go round between clients, and nobody's many calls cost anybody else his place. */
export type WaitingRoom = {
  count(): number
  /** False when there is no place; whoever has most may lose one for it, and is sent away. */
  add(caller: Waiting): boolean
  /** Does nothing when he is not there any more. */
  remove(caller: Waiting): void
  takeNext(): Waiting | undefined
}

export function createWaitingRoom({ waitingMax, waitingOfSubjectMax, waitingOfClientMax }: RoomLimits): WaitingRoom {
  /** By client, whose turn it is first; each has somebody waiting. */
  const lines = new Map<string, Waiting[]>()
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
  return {
    count: () => count,
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
    remove: (caller) => {
      const line = lines.get(caller.client)
      const place = line?.indexOf(caller) ?? -1
      if (!line || place < 0) return
      line.splice(place, 1)
      if (line.length === 0) lines.delete(caller.client)
      change(-1, caller)
    },
    takeNext: () => {
      const [first] = lines
      if (!first) return undefined
      const [client, line] = first
      const next = line.shift()
      // Whoever had his turn goes to the end of the round.
      lines.delete(client)
      if (line.length > 0) lines.set(client, line)
      if (next) change(-1, next)
      return next
    },
  }
}
