import { Failure } from '@chainboard/core'
import { createFairQueue, type FairQueueLimits, type Waiting } from './createFairQueue.ts'

export type HashQueueLimits = FairQueueLimits & {
  /** Hashes at once; two at least, so that there is one for either kind of caller. */
  readonly slots: number
  /** Callers who have waited this long are told to retry. */
  readonly waitMsMax: number
}

/**
 * Two cores do some 100 hashes a second, of 19 MiB each. There is room for 512 clients with all they may have waiting: who waits asks
 * for nothing, and a crowd that is sent away asks again at once.
 */
export const hashQueueLimits: HashQueueLimits = {
  slots: 2,
  waitMsMax: 10_000,
  waitingMax: 2_048,
  waitingOfSubjectMax: 2,
  waitingOfClientMax: 4,
}

/** When a refused caller should retry. */
const comeBackSeconds = 5

/** Who wants a hash. */
export type HashCaller = {
  /** Whether something speaks for him. Either kind waits in a queue of its own. */
  readonly kind: 'recognized' | 'unrecognized'
  /** The name it is for, whether somebody has it or not. */
  readonly subject: string
  readonly client: string
  /** When the account came to be, in unix seconds, where something speaks for him: its turn it is then, else the client's. */
  readonly sinceSeconds?: number | undefined
  /** Ends when nobody waits for the answer any more. */
  readonly gone?: AbortSignal | undefined
}

export type HashQueue = {
  /**
   * Sends a client away, before anything is asked of the database, who has all the places among recognized callers that he may have.
   * @throws Failure `busy`
   */
  requireRoom(client: string): void
  /**
   * Work that has begun is finished, even if its caller has disconnected.
   * @throws Failure `busy` with `detail.retryAfterSeconds`: at once when too many wait; later when the place went to somebody who
   *   comes before him, when it took too long, and when the caller was gone
   */
  run<T>(caller: HashCaller, work: () => Promise<T>): Promise<T>
}

/** Fair between accounts, or clients, and between the two kinds: neither has every hash while somebody of the other waits. */
export function createHashQueue({ slots, waitMsMax, ...queueLimits }: HashQueueLimits, nowSeconds: () => number): HashQueue {
  const running = { recognized: 0, unrecognized: 0 }
  const queues = { recognized: createFairQueue(queueLimits, nowSeconds), unrecognized: createFairQueue(queueLimits, nowSeconds) }
  const startNext = () => {
    while (running.recognized + running.unrecognized < slots) {
      const kinds =
        running.recognized > running.unrecognized
          ? (['unrecognized', 'recognized'] as const)
          : (['recognized', 'unrecognized'] as const)
      const kind = kinds.find((each) => queues[each].count() > 0)
      if (!kind) return
      running[kind] += 1
      queues[kind].takeNext()?.start()
    }
  }
  const waitForTurn = async ({ kind, subject, client, sinceSeconds = 0, gone }: HashCaller) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const turnOf = { name: kind === 'recognized' ? subject : client, sinceSeconds }
    const waiting: Waiting = { subject, client, turnOf, start: resolve, sendAway: () => reject(tooMany()) }
    const giveUp = () => {
      queues[kind].remove(waiting)
      reject(tooMany())
    }
    if (gone?.aborted || !queues[kind].add(waiting)) throw tooMany()
    const deadline = setTimeout(giveUp, waitMsMax)
    gone?.addEventListener('abort', giveUp)
    startNext()
    try {
      await promise
    } finally {
      clearTimeout(deadline)
      gone?.removeEventListener('abort', giveUp)
    }
  }
  return {
    requireRoom: (client) => {
      if (queues.recognized.isFullFor(client)) throw tooMany()
    },
    run: async (caller, work) => {
      await waitForTurn(caller)
      try {
        return await work()
      } finally {
        running[caller.kind] -= 1
        startNext()
      }
    },
  }
}

function tooMany(): Failure {
  const detail = { retryAfterSeconds: comeBackSeconds }
  return new Failure('busy', 'Too many sign-ins at once. Try again in a moment', { retryable: true, detail })
}
