import { Failure } from '@chainboard/core'

export type HashQueueLimits = {
  /** Hashes at once. */
  readonly slots: number
  /** Of them, at most so many for callers that nothing speaks for: a flood of them leaves room for everybody else. */
  readonly strangerSlots: number
  /** Callers of either kind that may wait. */
  readonly waitingMax: number
}

/** Two cores do some 100 hashes a second, of 19 MiB each. */
export const hashQueueLimits: HashQueueLimits = { slots: 2, strangerSlots: 1, waitingMax: 50 }

export type HashQueue = {
  /** @throws Failure `busy` at once when too many wait */
  run<T>(caller: 'known' | 'stranger', work: () => Promise<T>): Promise<T>
}

export function createHashQueue({ slots, strangerSlots, waitingMax }: HashQueueLimits): HashQueue {
  const running = { known: 0, stranger: 0 }
  const waiting: Record<keyof typeof running, (() => void)[]> = { known: [], stranger: [] }
  const mayStart = (caller: keyof typeof running) =>
    running.known + running.stranger < slots && (caller === 'known' || running.stranger < strangerSlots)
  const startNext = () => {
    for (const caller of ['known', 'stranger'] as const) {
      while (waiting[caller].length > 0 && mayStart(caller)) {
        running[caller] += 1
        waiting[caller].shift()?.()
      }
    }
  }
  return {
    run: async (caller, work) => {
      if (waiting[caller].length >= waitingMax)
        throw new Failure('busy', 'Too many sign-ins at once; try again in a moment', { retryable: true })
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting[caller].push(resolve)
      startNext()
      await promise
      try {
        return await work()
      } finally {
        running[caller] -= 1
        startNext()
      }
    },
  }
}
