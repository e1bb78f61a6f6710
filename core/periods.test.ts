import { expect, it } from 'vitest'
import { startOfDay, startOfHour } from './periods.ts'

const at = (text: string) => Date.parse(text) / 1_000

it('hours and days begin where the clock of UTC says so', () => {
  expect(startOfHour(at('2026-11-21T10:59:59Z'))).toBe(at('2026-11-21T10:00:00Z'))
  expect(startOfHour(at('2026-11-21T10:00:00Z'))).toBe(at('2026-11-21T10:00:00Z'))
  expect(startOfDay(at('2024-02-29T23:59:59Z'))).toBe(at('2024-02-29T00:00:00Z'))
  expect(startOfDay(at('2024-03-01T00:00:00Z'))).toBe(at('2024-03-01T00:00:00Z'))
})

it('the first moment of all is the start of its own', () => {
  expect([startOfHour(0), startOfDay(0), startOfHour(3_599), startOfDay(86_399)]).toEqual([0, 0, 0, 0])
})
