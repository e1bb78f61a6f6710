/**
 * A date and a time of day, where the reader is. @param inUtc nobody knows yet where that is: a page that the server drew has to read the same
 * until it is taken over
 */
export function formatMoment(seconds: number, timeStyle: 'short' | 'medium', inUtc: boolean): string {
  const zone = inUtc ? { timeZone: 'UTC' } : {}
  const text = new Date(seconds * 1000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle, ...zone })
  return inUtc ? `${text} UTC` : text
}
