import { Failure, hideKeyLike, hideUrls } from '@chainboard/core'
import { BaseError, HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'
import { saysRevert } from './isRevert.ts'
import { isOfPace, isOfRange, type Refusal, readRefusal } from './refusals/readRefusal.ts'

/** The longest that a node's `Retry-After` is believed: another one may answer long before. */
const askedWaitMsMax = 300_000

/** A node's words are read and repeated up to here, in characters. */
const wordsMax = 1_000

/** JSON-RPC's code for a limit, as EIP-1474 has it. */
const limitCode = -32_005

/**
 * What a node's error means for the caller, without what may be a key. `detail.refusal` is the kind of a refusal; `detail.blocks` the width that the
 * node said will do; `detail.retryAfterMs` the wait that it asked for; `detail.bytes` how much was read of an answer that is too long.
 * @param ofRange false: the call asked for no range of blocks, so no answer can mean that one was too wide
 */
export function toFailure(error: unknown, { ofRange = true } = {}): Failure {
  const own = error instanceof Failure ? error : find(error, Failure)
  if (own) return own
  const rpcError = find(error, RpcRequestError)
  const httpError = find(error, HttpRequestError)
  const tooLarge = find(error, ResponseBodyTooLargeError)
  if (tooLarge) return ofRange ? tooMuch(tooLarge.maxSize, error) : tooLong(tooLarge.maxSize, error)
  // A contract chooses the words of its revert, so they say nothing about the node.
  if (rpcError && saysRevert(rpcError.code, rpcError.details)) return refused(rpcError, error)
  if (!rpcError && !httpError) return silent(error)
  const text = (rpcError?.details ?? httpError?.details ?? '').slice(0, wordsMax)
  const refusal = readRefusal({ httpStatus: httpError?.status, code: rpcError?.code, message: text, data: rpcError?.data })
  if (ofRange && isOfRange(refusal.kind)) return tooWide(hideKeyLike(text), refusal, error)
  if (isOfPace(refusal.kind)) return rateLimited(httpError, refusal, error)
  return rpcError ? refused(rpcError, error, refusal) : silent(error, refusal)
}

function find<E extends Error>(error: unknown, kind: new (...args: never[]) => E): E | undefined {
  const found = error instanceof BaseError ? error.walk((each) => each instanceof kind) : null
  return found instanceof kind ? found : undefined
}

function silent(cause: unknown, refusal?: Refusal): Failure {
  const detail = refusal ? { refusal: refusal.kind } : {}
  return new Failure('rpc-unavailable', describeSilence(cause, refusal), { retryable: true, detail, cause })
}

function describeSilence(cause: unknown, refusal: Refusal | undefined): string {
  if (refusal?.kind === 'auth') return 'The node rejects the key'
  return find(cause, TimeoutError) || refusal?.kind === 'timeout'
    ? 'The node did not respond in time'
    : 'The node is not responding'
}

function refused(error: RpcRequestError, cause: unknown, refusal?: Refusal): Failure {
  const detail = { code: error.code, data: error.data, ...(refusal ? { refusal: refusal.kind } : {}) }
  return new Failure('rpc-refused', hideKeys(error).slice(0, wordsMax) || 'The node refused the call', {
    detail,
    retryable: true,
    cause,
  })
}

function tooLong(bytesMax: number, cause: unknown): Failure {
  return new Failure('rpc-refused', `The response is over ${bytesMax} bytes`, {
    detail: { code: limitCode, bytes: bytesMax },
    cause,
  })
}

/** Handled as too wide a range: half of it has half of the logs. */
function tooMuch(bytesMax: number, cause: unknown): Failure {
  const text = `The node's response is too large: over ${bytesMax} bytes`
  return new Failure('rpc-range-too-wide', text, { retryable: true, detail: { said: text, bytes: bytesMax }, cause })
}

function tooWide(said: string, { kind, blocks }: Refusal, cause: unknown): Failure {
  return new Failure('rpc-range-too-wide', 'The node refuses a range of blocks this wide', {
    retryable: true,
    detail: { said, refusal: kind, ...(blocks ? { blocks } : {}) },
    cause,
  })
}

/** What a contract says of a revert is its own and holds no key of the provider's, but may well hold long words. */
function hideKeys({ code, details }: RpcRequestError): string {
  return saysRevert(code, details) ? hideUrls(details) : hideKeyLike(details)
}

function rateLimited(httpError: HttpRequestError | undefined, { kind, retryAfterMs }: Refusal, cause: unknown): Failure {
  const header = httpError?.headers?.get('retry-after')
  const askedMs = header && /^\d+$/.test(header) ? Number(header) * 1_000 : retryAfterMs
  const wait = askedMs === undefined ? {} : { retryAfterMs: Math.min(askedWaitMsMax, askedMs) }
  const text = kind === 'quota-exhausted' ? "The node's quota is used up" : "The node's rate limit was reached"
  return new Failure('rpc-rate-limited', text, { retryable: true, detail: { refusal: kind, ...wait }, cause })
}
