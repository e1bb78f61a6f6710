import { fetchAnswer } from './fetchJson.ts'
import { statusUrl } from './urls.ts'

/** Whole seconds are all that a server tells. */
const secondMs = 1_000
const patienceMs = 3_000

/**
 * The server's clock in unix milliseconds, as its answers tell it, within a second; this device's own when they do not come. The
 * part below a second is the device's, so that no two moments asked for are the same.
 */
export async function readServerTimeMs(): Promise<number> {
  try {
    const { headers } = await fetchAnswer(statusUrl, AbortSignal.timeout(patienceMs))
    const ms = Date.parse(headers.get('date') ?? '')
    return Number.isNaN(ms) ? Date.now() : ms + (Date.now() % secondMs)
  } catch {
    return Date.now()
  }
}
