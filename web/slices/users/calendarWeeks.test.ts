import { expect, test } from 'vitest'
import { formatDay, toCalendarWeeks, weekdayOf } from './calendarWeeks.ts'

test('a week begins on Monday', () => {
  // 2026-11-16 was one.
  expect(['2026-11-16', '2026-11-21', '2026-11-22', '2026-11-23'].map(weekdayOf)).toEqual([0, 5, 6, 0])
})

test('days fall under their weekday, and the ends of the calendar stay empty', () => {
  const days = ['2026-11-21', '2026-11-22', '2026-11-23'].map((date, users) => ({ date, users }))
  expect(toCalendarWeeks(days)).toEqual([
    [undefined, undefined, undefined, undefined, undefined, days[0], days[1]],
    [days[2], undefined, undefined, undefined, undefined, undefined, undefined],
  ])
  expect(toCalendarWeeks([])).toEqual([])
})

test('a day is the same wherever the reader is', () => {
  expect(formatDay('2026-11-01')).toBe('Nov 1')
})
