import { expect, test } from 'vitest'
import { formatAge } from './formatAge.ts'

test.each([
  [-5, '<1m'],
  [59, '<1m'],
  [60, '1m'],
  [3_599, '59m'],
  [86_399, '23h'],
  [31 * 86_400, '31d'],
  [800 * 86_400, '2y'],
])('an age of %d seconds reads %s', (seconds, text) => expect(formatAge(seconds)).toBe(text))
