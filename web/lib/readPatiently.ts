import { fetchJson, RequestError } from './fetchJson.ts'
import { createTurns, type TakeTurn } from './takeTurns.ts'

/** The longest that the server's word on when to come back is followed: it counts by the minute. */
const waitSecondsMax = 60

const takeTurn: TakeTurn = createTurns(4)

/**
 * {@link fetchJson} for the many calls of a page: four at a time, and where the server says when to come back, once more
 * then. The wait keeps no other call from its turn.
 * @throws RequestError as fetchJson does
 */
export async function readPatiently<T>(url: string, signal: AbortSignal): Promise<T> {
  const read = () => takeTurn(() => fetchJson<T>(url, signal), signal)
  try {
    return await read()
  } catch (error) {
    const seconds = error instanceof RequestError ? error.retryAfterSeconds : undefined
    if (seconds === undefined) throw error
    await wait(Math.min(waitSecondsMax, seconds) * 1_000, signal)
    return read()
  }
}

/** @throws the signal's reason as soon as it is given up */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
