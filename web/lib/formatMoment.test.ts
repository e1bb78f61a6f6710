import { afterEach, expect, test, vi } from 'vitest'
import { formatMoment } from './formatMoment.ts'

const atSeconds = 1_800_000_000
afterEach(() => vi.restoreAllMocks())

test('a moment is a date and a time of day, to the second or to the minute', () => {
  expect(formatMoment(atSeconds, 'medium', true)).toBe('15 Jan 2027, 08:00:00 UTC')
  expect(formatMoment(atSeconds, 'short', true)).toBe('15 Jan 2027, 08:00 UTC')
})

test('what is no moment reads as none', () => {
  expect(formatMoment(1e20, 'short', true)).toBe('Invalid Date')
})

test('many moments are written by one formatter, and by another where the device has travelled to', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  const offset = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-181)
  for (let swap = 0; swap < 50; swap += 1) formatMoment(atSeconds + swap, 'medium', false)
  expect(made).toHaveBeenCalledTimes(1)
  offset.mockReturnValue(299)
  formatMoment(atSeconds, 'medium', false)
  expect(made).toHaveBeenCalledTimes(2)
})
