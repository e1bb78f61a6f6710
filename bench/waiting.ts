import { setTimeout as sleep } from 'node:timers/promises'
import { NotMeasured } from './notMeasured.ts'

/** How long something is waited for, and what ends the wait early. */
export type Patience = {
  /** For the error: "Ponder's API", "the server". */
  readonly what: string
  readonly msMax: number
  readonly signal: AbortSignal
  /** Settles with last words when the process that is waited for has ended. */
  readonly gone?: Promise<string>
}

/** What a promise gives in time. @throws NotMeasured when it takes too long or the process behind it ends, the reason of an aborted signal */
export async function within<T>(promise: Promise<T>, { what, msMax, signal, gone }: Patience): Promise<T> {
  promise.catch(() => {})
  signal.throwIfAborted()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  const timer = setTimeout(() => reject(new NotMeasured(`${what}: not within ${msMax / 1_000} s`)), msMax)
  signal.addEventListener('abort', onAbort)
  gone?.then((words) => reject(new NotMeasured(`${what}: ${words}`)))
  try {
    return await Promise.race([promise, ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Asks again and again, `everyMs` after each answer, until the answer is not undefined. @throws like `within` */
export async function poll<T>(
  ask: () => Promise<T | undefined>,
  { everyMs, ...patience }: Patience & { readonly everyMs: number },
): Promise<T> {
  const stop = new AbortController()
  const asking = async () => {
    while (!stop.signal.aborted) {
      const answer = await ask()
      if (answer !== undefined) return answer
      await sleep(everyMs)
    }
    throw new NotMeasured(`${patience.what}: no longer awaited`)
  }
  try {
    return await within(asking(), patience)
  } finally {
    stop.abort()
  }
}
