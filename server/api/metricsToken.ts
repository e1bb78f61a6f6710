import { createHash, timingSafeEqual } from 'node:crypto'

/** What a scrape without the token gets. */
export const tokenMissing = { error: 'Metrics need the header Authorization: Bearer, with the METRICS_TOKEN of the server' }

/**
 * Whether a scrape may have the metrics. Digests are compared, so that the time it takes says nothing of the token.
 * @param authorization the header, as Prometheus sends it: `Bearer <token>`
 * @param token undefined: everyone may
 */
export function mayScrape(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return given !== undefined && timingSafeEqual(digestOf(given), digestOf(token))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
