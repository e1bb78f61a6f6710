/** Every way an operation can fail that is not a bug of ours. The closed list; one table maps it to HTTP (`server/api/problem.ts`). */
export type FailureCode =
  | 'config-invalid'
  | 'request-invalid'
  | 'token-not-found'
  | 'not-signed-in'
  | 'pin-invalid'
  | 'signature-invalid'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-many-attempts'
  | 'busy'
  | 'store-unavailable'
  | 'store-full'
  | 'store-read-only'
  | 'store-damaged'
  | 'store-in-use'
  | 'store-foreign'
  | 'rpc-range-too-wide'
  | 'rpc-rate-limited'
  | 'rpc-unavailable'
  | 'rpc-refused'
  | 'rpc-invalid'
  | 'rpc-other-chain'
  | 'rpc-behind'
  | 'rpc-disputed'
  | 'wallet-unreadable'
  | 'not-ready'
  | 'upstream-unavailable'
  | 'upstream-rate-limited'
  | 'upstream-refused'
  | 'upstream-invalid'
  | 'upstream-budget-spent'

/**
 * An operating failure: an outside party or an input did not do what it should.
 * `message` may be shown to the caller; `detail` carries the offending values and goes to the log only.
 */
export class Failure extends Error {
  readonly code: FailureCode
  readonly detail: Readonly<Record<string, unknown>>
  /** Whether the same call may succeed later. */
  readonly retryable: boolean

  constructor(
    code: FailureCode,
    message: string,
    options: { detail?: Record<string, unknown>; retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Failure'
    this.code = code
    this.detail = options.detail ?? {}
    this.retryable = options.retryable ?? false
  }
}
