import { Failure } from './failure.ts'
import { type Supervision, supervise } from './supervise.ts'

export type RepeatedTurns = Pick<Supervision, 'nowMs' | 'pause'> & {
  readonly log: Record<'warn' | 'error', (facts: object, text: string) => void>
  /** Milliseconds before the first turn; absent: none. */
  readonly firstMs?: number
  /** Milliseconds from a turn that failed to the next one. */
  readonly retryMs: number
  /** What the log says of the first failure in a row, and of a bug. */
  readonly texts: { readonly failure: string; readonly bug: string }
}

/**
 * Takes one turn after the other until it is stopped. A `Failure`, as of the node or the store, is logged once, and the next turn comes after
 * `retryMs`. Whatever else a turn throws is a bug: the turns start again as `supervise` says.
 * @param take resolves to the milliseconds until the next turn
 */
export function repeatTurns(
  take: (signal: AbortSignal) => Promise<number>,
  { nowMs, pause, log, firstMs = 0, retryMs, texts }: RepeatedTurns,
): { stop(): Promise<void> } {
  const ending = new AbortController()
  const { signal } = ending
  let isFailing = false
  const run = async () => {
    if (firstMs > 0) await pause(firstMs, signal)
    while (!signal.aborted) {
      let restMs = retryMs
      try {
        restMs = await take(signal)
        isFailing = false
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (!isFailing) log.warn({ err: error }, texts.failure)
        isFailing = true
      }
      await pause(restMs, signal)
    }
  }
  const onFault = (err: unknown, retryInMs: number) => log.error({ err, retryInMs }, texts.bug)
  const done = supervise(run, { signal, nowMs, pause, onFault })
  return {
    stop: () => {
      ending.abort()
      return done
    },
  }
}
