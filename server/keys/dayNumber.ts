import { daySeconds } from '@chainboard/core'

/** UTC days since 1970. */
export function dayNumber(seconds: number): number {
  return Math.floor(seconds / daySeconds)
}

/** Whole seconds until the next UTC day, 1 at least. */
export function secondsLeftOfDay(seconds: number): number {
  return Math.max(1, Math.ceil((dayNumber(seconds) + 1) * daySeconds - seconds))
}
