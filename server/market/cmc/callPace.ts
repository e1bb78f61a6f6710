/** Resolves after `ms`, or at once when `signal` is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

const minuteMs = 60_000

/**
 * Lets at most `callsPerMinute` calls pass in any 60 seconds: the others wait their turn.
 * @returns a gate to await before each call
 */
export function createCallPace(
  callsPerMinute: number,
  { nowMs, pause }: { readonly nowMs: () => number; readonly pause: Pause },
): (signal: AbortSignal) => Promise<void> {
  const passedAtMs: number[] = []
  return async (signal) => {
    while (!signal.aborted) {
      const horizonMs = nowMs() - minuteMs
      while ((passedAtMs[0] ?? Number.POSITIVE_INFINITY) <= horizonMs) passedAtMs.shift()
      const oldestMs = passedAtMs[0]
      if (oldestMs === undefined || passedAtMs.length < callsPerMinute) break
      await pause(oldestMs - horizonMs, signal)
    }
    passedAtMs.push(nowMs())
  }
}
