import { Failure } from '@chainboard/core'
import { readBody } from '../readBody.ts'
import { whyUnanswered } from '../whyUnanswered.ts'

export type JsonReply = { readonly httpStatus: number; readonly retryAfter: string | null; readonly body: unknown }

/**
 * One GET for JSON. The body is read as it comes, and dropped past `bodyBytesMax`. No text of an error holds the URL or a header.
 * `body` is undefined when it was no JSON and the status was an error already.
 * @throws Failure `upstream-unavailable` for no answer in time, `upstream-invalid` for one that is too large or no JSON
 */
export async function readJson(
  url: string,
  {
    headers,
    timeoutMs,
    bodyBytesMax,
    signal,
  }: {
    readonly headers: Readonly<Record<string, string>>
    readonly timeoutMs: number
    readonly bodyBytesMax: number
    readonly signal: AbortSignal
  },
): Promise<JsonReply> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  let httpStatus: number
  let retryAfter: string | null
  let text: string | undefined
  try {
    const response = await fetch(url, { headers, signal: limit, redirect: 'error' })
    httpStatus = response.status
    retryAfter = response.headers.get('Retry-After')
    text = await readBody(response, bodyBytesMax)
  } catch (error) {
    const why = whyUnanswered(error, { late: `nothing within ${timeoutMs} ms`, broken: 'the connection failed' })
    throw new Failure('upstream-unavailable', `CoinMarketCap is not responding: ${why}`, { retryable: true })
  }
  if (text === undefined)
    throw new Failure('upstream-invalid', `CoinMarketCap returned more than ${bodyBytesMax} bytes`, { retryable: true })
  try {
    return { httpStatus, retryAfter, body: JSON.parse(text) }
  } catch {
    if (httpStatus !== 200) return { httpStatus, retryAfter, body: undefined }
    throw new Failure('upstream-invalid', 'CoinMarketCap returned something that is not JSON', { retryable: true })
  }
}
