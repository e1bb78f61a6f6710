const timeoutMs = 15_000

/** A call that gave no usable answer. `serverText` is the server's own `{error}` text; `status` is absent when nothing came back. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number | undefined
  readonly serverText: string | undefined

  constructor(message: string, facts: { status?: number; serverText?: string; cause?: unknown } = {}) {
    super(message, { cause: facts.cause })
    this.status = facts.status
    this.serverText = facts.serverText
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

/**
 * GETs JSON from this server. The body is trusted to have the wire's shape; only that it is JSON is checked here.
 * @throws RequestError for a failing status, a time-out, a lost connection, or what is no JSON
 */
export async function fetchAnswer<T>(url: string, signal: AbortSignal): Promise<Answer<T>> {
  const response = await fetch(withCacheBuster(url, Date.now().toString(36)), {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    headers: { accept: 'application/json' },
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw new RequestError(`${url}: no answer`, { cause })
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) {
    const serverText = readErrorText(body)
    throw new RequestError(`${url}: status ${response.status}`, {
      status: response.status,
      ...(serverText ? { serverText } : {}),
    })
  }
  if (body === undefined) throw new RequestError(`${url}: the answer is no JSON`, { status: 502 })
  return { body: body as T, headers: response.headers }
}

/** {@link fetchAnswer} for callers that need the body alone. */
export async function fetchJson<T>(url: string, signal: AbortSignal): Promise<T> {
  return (await fetchAnswer<T>(url, signal)).body
}
