import { fieldsOf } from '@chainboard/core'
import { isRedirect } from './isRedirect.ts'

/** What came of a POST: JSON, or how it went wrong. `status` is HTTP's; `start` the beginning of what was no JSON. */
export type PostOutcome =
  | { readonly kind: 'json'; readonly value: unknown; readonly tookMs: number; readonly headers: Headers }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'not-json'; readonly start: string }
  | { readonly kind: 'unreachable'; readonly why: string }

export type PostRequest = {
  readonly url: string
  readonly body: unknown
  readonly timeoutMs: number
  readonly headers?: Readonly<Record<string, string>>
}

const bytesMax = 1_000_000
const startLength = 40

/**
 * One POST as anybody could make it, without the server's own client between: for what that client cannot tell apart. It follows no
 * redirect, as that client does not.
 */
export async function postJson({ url, body, timeoutMs, headers = {} }: PostRequest): Promise<PostOutcome> {
  const startedAtMs = performance.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (isRedirect(response)) {
      await response.body?.cancel()
      return { kind: 'status', status: response.status }
    }
    const text = await readText(response)
    const tookMs = performance.now() - startedAtMs
    const value = parse(text)
    // Nodes put JSON-RPC errors into answers of any status; those say more than the status.
    if (value !== undefined && (response.ok || isRpcError(value)))
      return { kind: 'json', value, tookMs, headers: response.headers }
    if (!response.ok) return { kind: 'status', status: response.status }
    return { kind: 'not-json', start: text.slice(0, startLength).replace(/\s+/g, ' ').trim() }
  } catch (error) {
    return { kind: 'unreachable', why: explain(error, timeoutMs) }
  }
}

/** The headers that answer a browser's preflight from another origin. Undefined without an answer, and for a redirect: browsers refuse one here. */
export async function readCorsHeaders(url: string, origin: string, timeoutMs: number): Promise<Headers | undefined> {
  try {
    const response = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return isRedirect(response) ? undefined : response.headers
  } catch {
    return undefined
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > bytesMax) break
  }
  return text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRpcError(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value
}

function explain(error: unknown, timeoutMs: number): string {
  const { name, cause } = fieldsOf(error)
  if (name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  const { code, message } = fieldsOf(cause)
  return [code, message].find((text) => typeof text === 'string') ?? 'no connection'
}
