import { Failure } from '@chainboard/core'
import { isRedirect } from '../../chain/isRedirect.ts'
import { readBody } from '../readBody.ts'
import { whyUnanswered } from '../whyUnanswered.ts'

const timeoutMsDefault = 20_000
/** 50,000 tokens have about 12 MB. */
const bodyBytesMaxDefault = 32 * 1024 * 1024

/** `body`: undefined when the list is the one of the tag. */
export type FetchedList = { readonly body: unknown; readonly etag: string | undefined }

export type FetchLimits = { readonly timeoutMs?: number; readonly bodyBytesMax?: number }

/**
 * One GET for a token list. The time is for the whole answer, the body is dropped past its limit, and no redirect is followed: it could
 * lead into the host's own network. No message has the URL, which may hold a key.
 * @param etag of the list that is kept
 * @throws Failure `upstream-unavailable`, `upstream-refused`, `upstream-invalid`
 */
export async function fetchUrlList(
  url: string,
  { etag, signal }: { readonly etag: string | undefined; readonly signal: AbortSignal },
  { timeoutMs = timeoutMsDefault, bodyBytesMax = bodyBytesMaxDefault }: FetchLimits = {},
): Promise<FetchedList> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const { response, text } = await exchange(url, { etag, limit, bodyBytesMax }).catch((error: unknown) => {
    const why = whyUnanswered(error, { late: `not all of the list within ${timeoutMs / 1000} s`, broken: 'the connection broke' })
    throw new Failure('upstream-unavailable', `The list's server is not responding: ${why}`, {
      retryable: true,
    })
  })
  const { status } = response
  if (status === 304 && etag !== undefined) return { body: undefined, etag }
  if (isRedirect(response))
    throw new Failure(
      'upstream-refused',
      `The list's server redirects (HTTP ${status}), and redirects are not followed: use the final URL`,
    )
  if (status !== 200) throw new Failure('upstream-refused', `The list's server returned HTTP ${status}`, { retryable: true })
  if (text === undefined) throw new Failure('upstream-invalid', `The list's server returned more than ${bodyBytesMax} bytes`)
  try {
    return { body: JSON.parse(text), etag: response.headers.get('etag') ?? undefined }
  } catch {
    throw new Failure('upstream-invalid', "The list's server returned something that is not JSON")
  }
}

type Exchange = { readonly etag: string | undefined; readonly limit: AbortSignal; readonly bodyBytesMax: number }

async function exchange(url: string, { etag, limit, bodyBytesMax }: Exchange) {
  const headers = { Accept: 'application/json', ...(etag === undefined ? {} : { 'If-None-Match': etag }) }
  const response = await fetch(url, { headers, signal: limit, redirect: 'manual' })
  if (response.status === 200) return { response, text: await readBody(response, bodyBytesMax) }
  await response.body?.cancel()
  return { response, text: undefined }
}
