/** Formatters that are kept: one for each style and offset from UTC that is on screen. */
const formatsMax = 16
const kept = new Map<string, Intl.DateTimeFormat>()

/** Making a formatter costs more than a hundred uses of it. The offset is in its key: a device may travel. */
function momentFormat(atMs: number, timeStyle: 'short' | 'medium', inUtc: boolean): Intl.DateTimeFormat {
  const key = `${timeStyle} ${inUtc ? 'UTC' : new Date(atMs).getTimezoneOffset()}`
  const known = kept.get(key)
  if (known) return known
  if (kept.size >= formatsMax) kept.clear()
  const made = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle, ...(inUtc && { timeZone: 'UTC' }) })
  kept.set(key, made)
  return made
}

/**
 * A date and a time of day, where the reader is. @param inUtc nobody knows yet where that is: a page that the server drew has to read the same
 * until it is taken over
 */
export function formatMoment(seconds: number, timeStyle: 'short' | 'medium', inUtc: boolean): string {
  const atMs = seconds * 1000
  // As a date writes itself; a formatter throws.
  if (Number.isNaN(new Date(atMs).getTime())) return 'Invalid Date'
  const text = momentFormat(atMs, timeStyle, inUtc).format(atMs)
  return inUtc ? `${text} UTC` : text
}
