import type { WireDashboard } from '@chainboard/contract'

export type DayCount = WireDashboard['userRegistrationChart'][number]

/** The rows of the calendar. */
export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** Monday to Sunday; days that the chart does not have are undefined. */
export type CalendarWeek = readonly (DayCount | undefined)[]

const daysOfWeek = weekdays.length

/** Days one after the other, as the weeks of a calendar. */
export function toCalendarWeeks(days: readonly DayCount[]): CalendarWeek[] {
  const first = days[0]
  if (!first) return []
  const before = weekdayOf(first.date)
  const cells = [...Array.from({ length: before }, () => undefined), ...days]
  return Array.from({ length: Math.ceil(cells.length / daysOfWeek) }, (_, week) =>
    Array.from({ length: daysOfWeek }, (_, day) => cells[week * daysOfWeek + day]),
  )
}

/** 0 for Monday. @param date `2026-11-21`, a UTC day */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % daysOfWeek
}

const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** `2026-11-21` -> `Nov 21` */
export function formatDay(date: string): string {
  return shortDay.format(new Date(`${date}T00:00:00Z`))
}
