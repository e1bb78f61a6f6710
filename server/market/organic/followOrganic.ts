import { Failure, supervise } from '@chainboard/core'
import type { OrganicDeps } from './checkOrigins.ts'
import { keepOrganic, type OrganicReading } from './keepOrganic.ts'

/** Between two turns; while there is more to ask; and until the index is complete. */
const everyMs = 15_000
const moreMs = 5_000
const waitMs = 1_000
/** A turn may take a twentieth of the time. */
const restFactor = 20

export type FollowOrganicDeps = OrganicDeps & {
  /** Before the index is complete its last day is not the chain's. */
  readonly isComplete: () => boolean
  readonly onReading: (reading: OrganicReading) => void
  readonly log: { warn(facts: object, text: string): void; error(facts: object, text: string): void }
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Keeps organic volume up to date, beside everything else: neither the index nor a snapshot waits for it. */
export function followOrganic(deps: FollowOrganicDeps): { stop(): Promise<void> } {
  const { log, nowMs, pause, isComplete, onReading } = deps
  const ending = new AbortController()
  const { signal } = ending
  const organic = keepOrganic(deps)
  let isFailing = false
  const noteFailure = (err: unknown) => {
    if (!isFailing) log.warn({ err }, 'Transaction senders cannot be read: unknown ones do not count in organic volume')
    isFailing = true
  }
  /** @returns how long to wait for the next one */
  const take = async (): Promise<number> => {
    const startedAtMs = nowMs()
    const { reading, failure, hasMore } = await organic.takeTurn()
    if (reading && !signal.aborted) onReading(reading)
    if (failure) noteFailure(failure)
    else isFailing = false
    return Math.max(hasMore && !failure ? moreMs : everyMs, restFactor * (nowMs() - startedAtMs))
  }
  const run = async () => {
    while (!signal.aborted) {
      let restMs = waitMs
      try {
        if (isComplete()) restMs = await take()
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        noteFailure(error)
        restMs = everyMs
      }
      await pause(restMs, signal)
    }
  }
  const done = supervise(run, {
    signal,
    nowMs,
    pause,
    onFault: (err, retryInMs) => log.error({ err, retryInMs }, 'Following organic volume failed because of a bug and restarts'),
  })
  return {
    stop: () => {
      ending.abort()
      return done
    },
  }
}
