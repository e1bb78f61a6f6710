import { fetchAnswer } from './fetchJson.ts'
import { statusUrl } from './urls.ts'

const patienceMs = 3_000

/** The server's clock in unix milliseconds, as its answers tell it; this device's own when they do not come. */
export async function readServerTimeMs(): Promise<number> {
  try {
    const { headers } = await fetchAnswer(statusUrl, AbortSignal.timeout(patienceMs))
    const ms = Date.parse(headers.get('date') ?? '')
    return Number.isNaN(ms) ? Date.now() : ms
  } catch {
    return Date.now()
  }
}
