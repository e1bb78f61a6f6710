const backoffFirstMs = 1_000
const backoffMaxMs = 60_000
/** A part that ran so long before it failed starts over with the shortest wait. */
const steadyMs = 300_000

export type Supervision = {
  readonly signal: AbortSignal
  readonly nowMs: () => number
  /** Resolves after `ms`, or at once when `signal` is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** After every failure; `retryInMs` is the wait until the part starts again. */
  readonly onFault: (error: unknown, retryInMs: number) => void
}

/**
 * Runs a part until it ends by itself or is stopped. A part that throws is started again, after waits that grow from 1 s to
 * 60 s: a bug in one part must not end another one. Never throws.
 */
export async function supervise(run: () => Promise<void>, { signal, nowMs, pause, onFault }: Supervision): Promise<void> {
  let faults = 0
  while (!signal.aborted) {
    const startedAtMs = nowMs()
    try {
      return await run()
    } catch (error) {
      if (nowMs() - startedAtMs >= steadyMs) faults = 0
      const retryInMs = Math.min(backoffMaxMs, backoffFirstMs * 2 ** Math.min(faults, 16))
      faults += 1
      onFault(error, retryInMs)
      await pause(retryInMs, signal)
    }
  }
}
