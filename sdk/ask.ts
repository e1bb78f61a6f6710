import { isErrorAnswer } from './isOurs.ts'
import { type ErrorFacts, PriceApiError } from './priceApiError.ts'

export type AskOptions = {
  readonly fetch: typeof globalThis.fetch
  /** Retries after a failure that may be temporary. */
  readonly retriesMax: number
  /** The longest wait before a retry. If the API asks for a longer one, the request fails at once. */
  readonly waitSecondsMax: number
  /** Timeout for a response to arrive and to be read. */
  readonly timeoutMs: number
}

export type Ask = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal | undefined
}

const firstBackoffMs = 250

type Read<T> = (answer: Response) => Promise<T | PriceApiError>

/**
 * Sends a request and retries it if there is no complete response, 429 or 5xx. Every call of the API only reads, so a retry does no
 * harm. Waits as long as `Retry-After` says, otherwise 250 ms, 500 ms, … with jitter.
 * @param read extracts the result from a response with a status of 200 to 299, or says what is wrong with it
 * @throws PriceApiError; the caller's own reason when `signal` is aborted
 */
export async function ask<T>(request: Ask, options: AskOptions, read: Read<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const outcome = await tryOnce(request, options, read)
    if (!(outcome instanceof PriceApiError)) return outcome
    const waitMs = (outcome.retryAfterSeconds ?? 0) * 1_000 || firstBackoffMs * 2 ** tries * (0.75 + Math.random() / 2)
    if (tries >= options.retriesMax || !isWorthAnother(outcome) || waitMs > options.waitSecondsMax * 1_000) throw outcome
    await wait(waitMs, request.signal)
  }
}

async function tryOnce<T>({ url, headers, body, signal }: Ask, options: AskOptions, read: Read<T>): Promise<T | PriceApiError> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`No response within ${options.timeoutMs} ms`)), options.timeoutMs)
  let answer: Response | undefined
  try {
    answer = await options.fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      ...(body === undefined ? {} : { body }),
    })
    return answer.ok ? await read(answer) : await toError(answer)
  } catch (cause) {
    signal?.throwIfAborted()
    const message = answer ? `The response from ${url} broke off` : `No response from ${url}`
    // What came whole and is no JSON will be none the next time either.
    const facts = cause instanceof SyntaxError ? { status: answer?.status, cause } : { cause }
    return new PriceApiError('NO_ANSWER', message, facts)
  } finally {
    clearTimeout(timer)
  }
}

async function toError(answer: Response): Promise<PriceApiError> {
  const facts = {
    status: answer.status,
    retryAfterSeconds: toSeconds(answer.headers.get('retry-after'), answer.headers.get('date')),
    requestId: answer.headers.get('x-request-id') ?? undefined,
  }
  const body: unknown = await answer.json().catch(() => undefined)
  if (!isErrorAnswer(body)) return notOurs(facts)
  const { code, message, limit, remaining } = body.error
  return new PriceApiError(code, message, { ...facts, limit, remaining })
}

/** For a response of something else at this address. */
export function notOurs(facts: ErrorFacts & { readonly status: number }): PriceApiError {
  return new PriceApiError('NO_ANSWER', `Status ${facts.status}, not a response of the price API`, facts)
}

/** `3`, or a date, which counts from the sender's own clock if that is known. */
function toSeconds(retryAfter: string | null, sentAt: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = Number(retryAfter)
  if (!Number.isNaN(seconds)) return seconds >= 0 && seconds < Infinity ? seconds : undefined
  const waitMs = Date.parse(retryAfter) - (Date.parse(sentAt ?? '') || Date.now())
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs / 1_000)
}

function isWorthAnother({ status }: PriceApiError): boolean {
  return status === undefined || status === 429 || status >= 500
}

/** @throws the signal's reason when it is aborted before */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
