import { Failure } from '@chainboard/core'
import { BaseError, HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'
import { hideKeyLike, hideUrls } from './hideSecrets.ts'
import { saysRevert } from './isRevert.ts'

/** The longest that a node's `Retry-After` is believed: another one may answer long before. */
const askedWaitMsMax = 300_000

const rateLimitTexts = /rate.?limit|too many requests|requests per|per second|throttl|capacity|credits|\b429\b/i
const rangeTexts =
  /block range|range.*(exceed|limit)|range (is )?too|too (wide|large|many (blocks|results|logs))|more than \d+ (results|logs|blocks)|(results|logs|response size|blocks?).*(exceed|limit)|(exceed|limit).*(results|logs|response size|blocks?|range)|-32012/i

/** JSON-RPC's code for a limit, as EIP-1474 has it. */
const limitCode = -32_005

/**
 * What a node's error means for the caller, without what may be a key. Providers agree on no code, so their texts count.
 * @param ofRange false: the call asked for no range of blocks, so no answer can mean that one was too wide
 */
export function toFailure(error: unknown, { ofRange = true } = {}): Failure {
  if (error instanceof Failure) return error
  const rpcError = error instanceof BaseError ? error.walk((e) => e instanceof RpcRequestError) : null
  const httpError = error instanceof BaseError ? error.walk((e) => e instanceof HttpRequestError) : null
  const said = rpcError instanceof RpcRequestError ? rpcError.details : undefined
  const body = httpError instanceof HttpRequestError ? httpError.details : undefined
  const text = said ?? body ?? ''

  const tooLarge = error instanceof BaseError ? error.walk((e) => e instanceof ResponseBodyTooLargeError) : null
  if (tooLarge instanceof ResponseBodyTooLargeError)
    return ofRange ? tooMuch(tooLarge.maxSize, error) : tooLong(tooLarge.maxSize, error)
  if (httpError instanceof HttpRequestError && httpError.status === 429) return rateLimited(httpError, error)
  // A contract chooses the words of its revert, so they say nothing about the node.
  if (rpcError instanceof RpcRequestError && saysRevert(rpcError.code, rpcError.details)) return refused(rpcError, error)
  if (ofRange && rangeTexts.test(text)) return tooWide(hideKeyLike(text), error)
  if (rateLimitTexts.test(text)) return rateLimited(httpError, error)
  if (rpcError instanceof RpcRequestError) return refused(rpcError, error)
  const timedOut = error instanceof BaseError && error.walk((e) => e instanceof TimeoutError) !== null
  return new Failure('rpc-unavailable', timedOut ? 'The node did not answer in time' : 'The node does not answer', {
    retryable: true,
    cause: error,
  })
}

function refused(error: RpcRequestError, cause: unknown): Failure {
  const detail = { code: error.code, data: error.data }
  return new Failure('rpc-refused', hideKeys(error) || 'The node refused the call', { detail, retryable: true, cause })
}

function tooLong(bytesMax: number, cause: unknown): Failure {
  return new Failure('rpc-refused', `The answer is over ${bytesMax} bytes`, { detail: { code: limitCode }, cause })
}

/** Handled as too wide a range: half of it has half of the logs. */
function tooMuch(bytesMax: number, cause: unknown): Failure {
  const text = `The node's answer is too large: over ${bytesMax} bytes`
  return new Failure('rpc-range-too-wide', text, { retryable: true, detail: { said: text }, cause })
}

function tooWide(said: string, cause: unknown): Failure {
  return new Failure('rpc-range-too-wide', 'The node refuses a range of blocks this wide', {
    retryable: true,
    detail: { said },
    cause,
  })
}

/** What a contract says of a revert is its own and holds no key of the provider's, but may well hold long words. */
function hideKeys({ code, details }: RpcRequestError): string {
  return saysRevert(code, details) ? hideUrls(details) : hideKeyLike(details)
}

function rateLimited(httpError: unknown, cause: unknown): Failure {
  const header = httpError instanceof HttpRequestError ? httpError.headers?.get('retry-after') : undefined
  const detail = header && /^\d+$/.test(header) ? { retryAfterMs: Math.min(askedWaitMsMax, Number(header) * 1000) } : {}
  return new Failure('rpc-rate-limited', 'The node limits the rate of calls', { retryable: true, detail, cause })
}
