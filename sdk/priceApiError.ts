import type { ErrorCode } from './wire.ts'

/** What the API refused, or `NO_ANSWER`: it could not be reached, or what came back was not its own. */
export type ClientErrorCode = ErrorCode | 'NO_ANSWER'

export type ErrorFacts = {
  /** HTTP status; undefined when there was no answer. */
  readonly status?: number | undefined
  /** Of `RATE_LIMIT_EXCEEDED`: requests of a day. */
  readonly limit?: number | undefined
  readonly remaining?: number | undefined
  /** When to ask again, in seconds, if the API said so. */
  readonly retryAfterSeconds?: number | undefined
  /** What the request is called in the server's log. */
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/** The one error that calls of the client end with, but for the caller's own abort. */
export class PriceApiError extends Error {
  readonly code: ClientErrorCode
  readonly status: number | undefined
  readonly limit: number | undefined
  readonly remaining: number | undefined
  readonly retryAfterSeconds: number | undefined
  readonly requestId: string | undefined

  constructor(code: ClientErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'PriceApiError'
    this.code = code
    this.status = facts.status
    this.limit = facts.limit
    this.remaining = facts.remaining
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.requestId = facts.requestId
  }
}
