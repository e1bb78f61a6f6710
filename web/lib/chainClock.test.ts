import { expect, test } from 'vitest'
import { nextAhead } from './chainClock.ts'

const noon = Date.UTC(2026, 10, 22, 12)

test.each([
  ['a right clock is right, whatever the answer took', 0, 2_400, 0],
  ['a clock that is ten minutes ahead', 0, 600_000, 600],
  ['a clock that is an hour behind', 0, -3_600_000, -3_600],
  ['two answers about the same clock', 600, 601_900, 600],
  ['a clock that was set right', 600, 900, 0],
  ['an answer without a time', 600, Number.NaN, 600],
])('%s', (_, before, aheadMs, after) => {
  expect(nextAhead(before, noon, noon + aheadMs)).toBe(after)
})
