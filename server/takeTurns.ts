import { Failure } from '@chainboard/core'
import { BulkheadRejectedError, bulkhead } from 'cockatiel'

/** After a turn a rest of so many times its length: what visitors may ask for never takes more than a quarter of the time. */
const restTimes = 3
const restMsMax = 30_000

export type TurnOptions = {
  readonly waitingMax: number
  /** What is refused when too many wait. */
  readonly busy: string
  readonly nowMs: () => number
  readonly pause: (ms: number) => Promise<unknown>
}

/**
 * Does costly work one at a time, with a rest after each.
 * @throws Failure `busy` with `retryAfterSeconds` when too many wait
 */
export function takeTurns({ waitingMax, busy, nowMs, pause }: TurnOptions): <V>(work: () => Promise<V>) => Promise<V> {
  const turns = bulkhead(1, waitingMax)
  let restUntilMs = Number.NEGATIVE_INFINITY
  const rested = async <V>(work: () => Promise<V>): Promise<V> => {
    const restMs = restUntilMs - nowMs()
    if (restMs > 0) await pause(restMs)
    const startMs = nowMs()
    try {
      return await work()
    } finally {
      restUntilMs = nowMs() + Math.min(restMsMax, restTimes * (nowMs() - startMs))
    }
  }
  return async (work) => {
    try {
      return await turns.execute(() => rested(work))
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error
      throw new Failure('busy', busy, { retryable: true, detail: { retryAfterSeconds: 1 } })
    }
  }
}
