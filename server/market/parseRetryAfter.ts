/** The longest that a `Retry-After` is believed: a day. */
const askedWaitMsMax = 86_400_000

/**
 * Milliseconds to wait by a `Retry-After` header: seconds or an HTTP date, at most a day.
 * @returns undefined when there is none that can be read
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (!header) return undefined
  const askedMs = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(askedMs) ? undefined : Math.min(askedWaitMsMax, Math.max(0, askedMs))
}
