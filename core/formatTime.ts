import { noValue } from './format.ts'
import { daySeconds, hourSeconds } from './periods.ts'

const minuteSeconds = 60
/** The last second that a `Date` can be of. */
const dateSecondsMax = 8.64e12

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** The day in UTC, wherever the reader is: `Mar 1, 2031`. */
export function formatDate(atSeconds: number): string {
  return Math.abs(atSeconds) <= dateSecondsMax ? dayFormat.format(atSeconds * 1000) : noValue
}

/** `45s ago`, `3m ago`, `5h ago`, up to `7d ago`, then the date `Nov 2, 2026`. What lies ahead reads `0s ago`. */
export function formatRelativeTime(atSeconds: number, nowSeconds: number): string {
  const age = Math.max(0, Math.floor(nowSeconds - atSeconds))
  if (age < minuteSeconds) return `${age}s ago`
  if (age < hourSeconds) return `${Math.floor(age / minuteSeconds)}m ago`
  if (age < daySeconds) return `${Math.floor(age / hourSeconds)}h ago`
  if (age <= 7 * daySeconds) return `${Math.floor(age / daySeconds)}d ago`
  return formatDate(atSeconds)
}

/** How long a boost still lasts: `23h 5m`, `2h`, `12m`, `Expired`. The last minute reads `1m` to its end. */
export function formatRemaining(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds <= 0) return 'Expired'
  const minutesLeft = Math.max(1, Math.floor(seconds / minuteSeconds))
  const hours = Math.floor(minutesLeft / 60)
  const minutes = minutesLeft % 60
  if (hours === 0) return `${minutes}m`
  return minutes === 0 ? `${hours}h` : `${hours}h ${minutes}m`
}
