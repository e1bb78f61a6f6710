import type { Failure } from '@chainboard/core'
import { silentDatabase } from './toStoreFailure.ts'

/** A statement that waits so long makes the database silent. */
const silentMsMax = 3_000
/** How often one request finds out whether it answers again. */
const askEveryMs = 5_000

/** Refuses requests at once that a silent database would keep waiting. */
export type RequestGate = {
  /** Before a request uses a connection. @throws Failure `store-unavailable` */
  enter(): void
  /** How the newest statement of a request ended. */
  note(outcome: 'answered' | 'failed'): void
}

/**
 * Both must hold: some statement has waited for long, and the newest one of a request failed. A long statement of another part
 * alone says nothing of what a request would wait for.
 * @param silentMs how long the oldest statement under way has waited, of any part
 */
export function createRequestGate(silentMs: () => number, nowMs: () => number = () => performance.now()): RequestGate {
  let failedAtMs: number | undefined
  return {
    enter() {
      if (failedAtMs === undefined || silentMs() < silentMsMax) return
      if (nowMs() - failedAtMs < askEveryMs) throw silentDatabase() satisfies Failure
      // This one asks. Until it has heard, the others are refused.
      failedAtMs = nowMs()
    },
    note(outcome) {
      failedAtMs = outcome === 'failed' ? nowMs() : undefined
    },
  }
}
