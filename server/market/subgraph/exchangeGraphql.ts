import { Failure } from '@chainboard/core'
import { parseRetryAfter } from '../parseRetryAfter.ts'
import { readBody } from '../readBody.ts'
import { whyUnanswered } from '../whyUnanswered.ts'

/** Where a subgraph is, and what one exchange with it may take. `url` may hold a key; `signal` ends exchanges under way. */
export type SubgraphAddress = {
  readonly url: string
  readonly timeoutMs: number
  readonly bodyBytesMax: number
  readonly signal?: AbortSignal
}

/**
 * Sends a GraphQL request as it is and gives back the answer as it comes, with whatever status but 429 and 5xx.
 * Fails with a `Failure`: `upstream-unavailable` (no connection, no answer in time, HTTP 5xx), `upstream-rate-limited` (429;
 * `detail.retryAfterMs`, a day at most, where the server names it), `upstream-invalid` (too long). The URL is in none of them.
 */
export async function exchangeGraphql(address: SubgraphAddress, body: string): Promise<{ response: Response; text: string }> {
  const exchanged = await exchangeText(address, body)
  const { status } = exchanged.response
  if (status === 429) throw rateLimited(exchanged.response)
  if (status >= 500) throw new Failure('upstream-unavailable', `The subgraph returned HTTP ${status}`, { retryable: true })
  return exchanged
}

async function exchangeText({ url, timeoutMs, bodyBytesMax, signal }: SubgraphAddress, body: string) {
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const text = await readBody(response, bodyBytesMax)
    if (text !== undefined) return { response, text }
  } catch (error) {
    const why = whyUnanswered(error, { late: `no answer within ${timeoutMs / 1000} s`, broken: 'the connection broke' })
    // The cause is left out: it may hold the URL.
    throw new Failure('upstream-unavailable', `The subgraph is not responding: ${why}`, { retryable: true })
  }
  throw new Failure('upstream-invalid', `The subgraph returned more than ${bodyBytesMax} bytes`)
}

function rateLimited(response: Response): Failure {
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now())
  return new Failure('upstream-rate-limited', "The subgraph's rate limit was reached", {
    detail: retryAfterMs === undefined ? {} : { retryAfterMs },
    retryable: true,
  })
}
