import { Failure } from '@chainboard/core'

export type HashQueueLimits = {
  /** Hashes at once. */
  readonly slots: number
  /** Of them, at most so many for callers that nothing speaks for: a flood of them leaves room for everybody else. */
  readonly strangerSlots: number
  /** Callers of either kind that may wait. */
  readonly waitingMax: number
  /** Of them, for one account or made-up name. */
  readonly waitingOfSubjectMax: number
  /** Of them, from one client. */
  readonly waitingOfClientMax: number
}

/** Two cores do some 100 hashes a second, of 19 MiB each. */
export const hashQueueLimits: HashQueueLimits = {
  slots: 2,
  strangerSlots: 1,
  waitingMax: 50,
  waitingOfSubjectMax: 2,
  waitingOfClientMax: 4,
}

/** Who wants a hash: `subject` is the name it is for, whether somebody has it or not. Either kind waits in a room of its own. */
export type HashCaller = { readonly kind: 'known' | 'stranger'; readonly subject: string; readonly client: string }

export type HashQueue = {
  /** @throws Failure `busy` at once when too many wait; later when the place went to somebody who had none */
  run<T>(caller: HashCaller, work: () => Promise<T>): Promise<T>
}

/** Fair between clients: their turns go round, and nobody's many calls cost anybody else his place. */
export function createHashQueue({ slots, strangerSlots, ...roomLimits }: HashQueueLimits): HashQueue {
  const running = { known: 0, stranger: 0 }
  const rooms = { known: createWaitingRoom(roomLimits), stranger: createWaitingRoom(roomLimits) }
  const mayStart = (kind: HashCaller['kind']) =>
    running.known + running.stranger < slots && (kind === 'known' || running.stranger < strangerSlots)
  const startNext = () => {
    for (const kind of ['known', 'stranger'] as const) {
      while (mayStart(kind)) {
        const next = rooms[kind].takeNext()
        if (!next) break
        running[kind] += 1
        next.start()
      }
    }
  }
  return {
    run: async (caller, work) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      rooms[caller.kind].add({ ...caller, start: resolve, sendAway: () => reject(tooMany()) })
      startNext()
      await promise
      try {
        return await work()
      } finally {
        running[caller.kind] -= 1
        startNext()
      }
    },
  }
}

type Waiting = Pick<HashCaller, 'subject' | 'client'> & { readonly start: () => void; readonly sendAway: () => void }
type RoomLimits = Omit<HashQueueLimits, 'slots' | 'strangerSlots'>

function createWaitingRoom({ waitingMax, waitingOfSubjectMax, waitingOfClientMax }: RoomLimits) {
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
    /** @throws Failure `busy` */
    add: (caller: Waiting): void => {
      const line = lines.get(caller.client) ?? []
      if (line.length >= waitingOfClientMax || (ofSubject.get(caller.subject) ?? 0) >= waitingOfSubjectMax) throw tooMany()
      if (count >= waitingMax) {
        const last = line.length === 0 ? removeLastOfMost() : undefined
        if (!last) throw tooMany()
        last.sendAway()
      }
      lines.set(caller.client, line)
      line.push(caller)
      change(1, caller)
    },
    takeNext: (): Waiting | undefined => {
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

function tooMany(): Failure {
  return new Failure('busy', 'Too many sign-ins at once; try again in a moment', { retryable: true })
}
