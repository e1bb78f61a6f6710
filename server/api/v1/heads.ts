import { randomBytes } from 'node:crypto'
import { validateHeaderName, validateHeaderValue } from 'node:http'
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

/** The type of every answer that is JSON. */
export const jsonType = ['content-type', 'application/json; charset=utf-8'] as const

/** Prices may be kept by the caller, who asks each time whether they are still true. */
export const keepAndAsk = ['cache-control', 'private, no-cache'] as const

/** How long a line may be silent and still be used, told to callers: less than the server waits (`silenceMaxMs` of httpServer.ts). */
export const keepLine = ['keep-alive', 'timeout=55'] as const

/** What browsers ask before they send another site's call. */
export const preflightHead: readonly string[] = [
  ...['access-control-allow-methods', 'GET, HEAD, POST, OPTIONS'],
  ...['access-control-allow-headers', 'Cache-Control, Content-Type, If-None-Match, Last-Event-ID, X-API-Key'],
  ...['access-control-max-age', '86400'],
]

/**
 * `RateLimit` and `RateLimit-Policy` of the IETF draft (structured fields since version 8).
 * 9,999 of 10,000 left, 60 s to midnight UTC -> `"day";r=9999;t=60` and `"day";q=10000;w=86400`
 */
export function toRateHead(facts: RateFacts): readonly string[] {
  return ['ratelimit-policy', toPolicy(facts), 'ratelimit', toLimit(facts)]
}

/** The same as lines of a head. */
export function toRateLines(facts: RateFacts): string {
  return `ratelimit-policy: ${toPolicy(facts)}\r\nratelimit: ${toLimit(facts)}\r\n`
}

type RateFacts = Pick<Allowance, 'limit' | 'remaining' | 'resetSeconds'>
const toPolicy = ({ limit }: RateFacts) => `"day";q=${limit};w=${daySeconds}`
const toLimit = ({ remaining, resetSeconds }: RateFacts) => `"day";r=${remaining};t=${resetSeconds}`

/** Headers as they go over the line. @throws TypeError when one of them cannot */
export function toLines(head: readonly string[]): string {
  let lines = ''
  for (let i = 0; i < head.length; i += 2) {
    const [name = '', value = ''] = head.slice(i, i + 2)
    validateHeaderName(name)
    validateHeaderValue(name, value)
    lines += `${name}: ${value}\r\n`
  }
  return lines
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
