import type { DrainTimes } from './api/health/drain.ts'

/** Answers under way when the listener closed may take so long. */
export const finishMs = 10_000
/** The parts may take so long after that: the last commits, the leases of permits that are given back. */
const partsMsMax = 8_000
/** Ctrl-C reaches a whole process group, and npm passes it on as well: a signal this soon after the first one is the same request. */
const sameWishMs = 1_000

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The longest that a server takes to end after the first signal. Milliseconds. */
export function toStopMsMax(drainSeconds: number): number {
  return drainSeconds * 1_000 + finishMs + partsMsMax
}

export type Stoppable = { readonly drain: (times: DrainTimes) => Promise<void>; close(): Promise<void> }

/** The process, as far as ending it goes. */
export type StopProcess = Pick<NodeJS.Process, 'on' | 'exit' | 'disconnect'> & { readonly connected?: boolean }

/**
 * Ends the server in order at the first signal, or when the process that started it is gone: drained, then closed part by part. A second
 * signal, or a stop that takes longer than its limits, ends the process at once; the store survives that.
 * @returns does the same without a signal
 */
export function stopOnSignal(
  server: Stoppable,
  { drainSeconds }: { readonly drainSeconds: number },
  own: StopProcess = process,
): () => void {
  let firstMs: number | undefined
  const stop = async () => {
    if (firstMs !== undefined) return
    firstMs = performance.now()
    setTimeout(() => {
      console.error(`The server did not stop within ${toStopMsMax(drainSeconds) / 1_000} s and exits now`)
      own.exit(1)
    }, toStopMsMax(drainSeconds)).unref()
    await server.drain({ noticeMs: drainSeconds * 1_000, finishMs })
    await server.close()
    if (own.connected) own.disconnect()
  }
  for (const signal of signals)
    own.on(signal, () => {
      if (firstMs !== undefined && performance.now() - firstMs > sameWishMs) own.exit(1)
      void stop()
    })
  own.on('disconnect', () => void stop())
  return () => void stop()
}
