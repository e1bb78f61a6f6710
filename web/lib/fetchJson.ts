import { noteChainTime } from './chainClock.ts'

const timeoutMs = 15_000
/** For a question whose answer costs the server nothing. */
const promptMs = 5_000

type Facts = { status?: number; serverText?: string; retryAfterSeconds?: number; cause?: unknown }

/**
 * A call that gave no usable answer. `serverText` is the server's own `{error}` text, `retryAfterSeconds` the wait it asks for;
 * `status` is absent when nothing came back.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number | undefined
  readonly serverText: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, facts: Facts = {}) {
    super(message, { cause: facts.cause })
    this.status = facts.status
    this.serverText = facts.serverText
    this.retryAfterSeconds = facts.retryAfterSeconds
  }

  /** Asking again may help: nothing came back, the server failed, or it asked to slow down. */
  get retryable(): boolean {
    return this.status === undefined || this.status >= 500 || this.status === 429
  }
}

export type Answer<T> = { readonly body: T; readonly headers: Headers }

/** Every address gets a `_` that no cache has seen (specification §7). */
export function withCacheBuster(url: string, token: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}_=${token}`
}

function readErrorText(body: unknown): string | undefined {
  const text = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  return typeof text === 'string' && text !== '' ? text.slice(0, 300) : undefined
}

function readRetryAfter(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined
}

async function ask(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Answer<unknown>> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await fetch(withCacheBuster(url, Date.now().toString(36)), {
    credentials: 'same-origin',
    ...init,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new RequestError(`${url}: no answer`, { cause })
  })
  const { status, headers } = response
  noteChainTime(headers)
  const body: unknown = status === 204 ? null : await response.json().catch(() => undefined)
  if (!response.ok) {
    const serverText = readErrorText(body)
    const retryAfterSeconds = readRetryAfter(headers)
    throw new RequestError(`${url}: status ${status}`, {
      status,
      ...(serverText ? { serverText } : {}),
      ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
    })
  }
  if (body === undefined) throw new RequestError(`${url}: the response is not JSON`, { status: 502 })
  return { body, headers }
}

/**
 * GETs JSON from this server. The body is trusted to have the wire's shape; only that it is JSON is checked here.
 * @throws RequestError for a failing status, a time-out, a lost connection, or what is no JSON
 */
export async function fetchAnswer<T>(url: string, signal?: AbortSignal): Promise<Answer<T>> {
  return (await ask(url, { headers: { accept: 'application/json' } }, signal)) as Answer<T>
}

/** {@link fetchAnswer} for callers that need the body alone. */
export async function fetchJson<T>(url: string, signal?: AbortSignal): Promise<T> {
  return (await fetchAnswer<T>(url, signal)).body
}

/** Whether this server answers a GET with what was asked for, and soon. Never throws. */
export async function hasAnswer(url: string): Promise<boolean> {
  try {
    await fetchJson(url, AbortSignal.timeout(promptMs))
    return true
  } catch {
    return false
  }
}

/**
 * Changes something on this server. `body` goes as JSON, and none when it is absent; an answer without content is `null`.
 * @throws RequestError as {@link fetchAnswer} does
 */
export async function sendJson<T>(method: 'POST' | 'DELETE', url: string, body?: unknown): Promise<T> {
  const accept = { accept: 'application/json' }
  const init: RequestInit =
    body === undefined
      ? { method, headers: accept }
      : { method, headers: { ...accept, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await ask(url, init, undefined)).body as T
}
