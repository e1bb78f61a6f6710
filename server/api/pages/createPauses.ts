/** How long something waits after it failed. */
export type Pauses = {
  /** Whether `key` may be tried now. */
  may(key: string): boolean
  /** @param beganAtMs when what failed was begun */
  fail(key: string, beganAtMs: number): void
  succeed(key: string): void
}

export type PauseLimits = {
  /** The first pause of a key; each further one is twice as long, up to `pauseMsMax`. */
  readonly pauseMs: number
  readonly pauseMsMax: number
  /** Keys that are remembered. */
  readonly keysMax: number
  /** Failures of any keys in a row, after which all of them pause. */
  readonly rowMax: number
}

/** One key that fails pauses alone, so that it keeps no other from its turn; when nothing else succeeds either, all pause. */
export function createPauses({ pauseMs, pauseMsMax, keysMax, rowMax }: PauseLimits, nowMs: () => number): Pauses {
  const failed = new Map<string, { readonly times: number; readonly untilMs: number }>()
  let row = 0
  let failedAtMs = Number.NEGATIVE_INFINITY
  let allUntilMs = Number.NEGATIVE_INFINITY
  const pauseAfter = (times: number) => Math.min(pauseMsMax, pauseMs * 2 ** (times - 1))
  return {
    may: (key) => nowMs() >= allUntilMs && nowMs() >= (failed.get(key)?.untilMs ?? allUntilMs),
    fail(key, beganAtMs) {
      const times = (failed.get(key)?.times ?? 0) + 1
      failed.delete(key)
      failed.set(key, { times, untilMs: nowMs() + pauseAfter(times) })
      const [oldest] = failed.keys()
      if (failed.size > keysMax && oldest !== undefined) failed.delete(oldest)
      // What was under way when another failed tells nothing new: one end of the thread is the failure of all that wait for it.
      if (beganAtMs < failedAtMs) return
      failedAtMs = nowMs()
      row += 1
      if (row >= rowMax) allUntilMs = nowMs() + pauseAfter(row - rowMax + 1)
    },
    succeed(key) {
      failed.delete(key)
      row = 0
    },
  }
}
