import { randomBytes } from 'node:crypto'
import { daySeconds } from '@chainboard/core'
import type { Allowance, Refusal } from '../../keys/keyGate.ts'

// Headers of the price API, as names and values in turn: node:http writes such a list fastest, and both ways into the API
// (hotPath.ts, priceRoutes.ts) say the same.

/** What every answer says: any page on the web may read it, nothing may be made of it but data. */
export const everyHead: readonly string[] = [
  ...['access-control-allow-origin', '*'],
  ...['access-control-expose-headers', 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'],
  ...['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['cross-origin-resource-policy', 'cross-origin'],
  ...['vary', 'Accept-Encoding, X-API-Key'],
  ...['x-content-type-options', 'nosniff'],
]

export const jsonType = ['content-type', 'application/json; charset=utf-8'] as const

/** Prices may be kept by the caller, who asks each time whether they are still true. */
export const keepAndAsk = ['cache-control', 'private, no-cache'] as const

export const preflightHead: readonly string[] = [
  ...['access-control-allow-methods', 'GET, HEAD, POST, OPTIONS'],
  ...['access-control-allow-headers', 'Cache-Control, Content-Type, If-None-Match, Last-Event-ID, X-API-Key'],
  ...['access-control-max-age', '86400'],
]

/**
 * `RateLimit` and `RateLimit-Policy` of the IETF draft (structured fields since version 8).
 * 9,999 of 10,000 left, 60 s to midnight UTC -> `"day";r=9999;t=60` and `"day";q=10000;w=86400`
 */
export function toRateHead({ limit, remaining, resetSeconds }: Pick<Allowance, 'limit' | 'remaining' | 'resetSeconds'>) {
  return [...['ratelimit-policy', `"day";q=${limit};w=${daySeconds}`], ...['ratelimit', `"day";r=${remaining};t=${resetSeconds}`]]
}

/** Headers of a refused call; nothing for a key that is not known. */
export function toRefusalHead({ code, limit, remaining = 0, resetSeconds }: Refusal): readonly string[] {
  if (limit === undefined || resetSeconds === undefined) return []
  const head = toRateHead({ limit, remaining, resetSeconds })
  return code === 'RATE_LIMIT_EXCEEDED' ? [...head, 'retry-after', String(resetSeconds)] : head
}

/** The end of every body. */
export function toTail({ tier, limit, remaining }: Allowance): string {
  return `{"tier":"${tier}","limit":${limit},"remaining":${remaining}}}`
}

const run = randomBytes(4).toString('hex')
let requests = 0

/** A name for a request, in the answer and in the log: `3fa94c01-1a`. */
export function nextRequestId(): string {
  requests += 1
  return `${run}-${requests.toString(36)}`
}
