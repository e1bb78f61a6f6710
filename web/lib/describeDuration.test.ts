import { expect, test } from 'vitest'
import { describeDuration } from './describeDuration.ts'

test.each([
  [86_400, '24 hours'],
  [3_600, '1 hour'],
  [172_800, '48 hours'],
  [259_200, '3 days'],
  [2_592_000, '30 days'],
  [262_800, '73 hours'],
  [5_400, '90 minutes'],
  [3_661, '3,661 seconds'],
])('%d seconds are %s', (seconds, text) => expect(describeDuration(seconds)).toBe(text))
