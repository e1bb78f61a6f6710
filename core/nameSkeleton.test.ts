import { expect, test } from 'vitest'
import { toNameSkeleton } from './nameSkeleton.ts'

test.each([
  ['aIice', 'alice'],
  ['a1ice', 'alice'],
  ['ALICE', 'AL1CE'],
  ['b0b', 'bob'],
  ['BOB', 'b0b'],
  ['mallory', 'rnallory'],
  ['wanda', 'vvanda'],
  ['Anna', 'anna'],
])('%s looks like %s', (one, other) => {
  expect(toNameSkeleton(one)).toBe(toNameSkeleton(other))
})

test.each([
  ['alice', 'alise'],
  ['bill', 'bil'],
  ['anna_1', 'anna-l'],
  ['dora5', 'doras'],
  ['tim', 'tlm'],
])('%s does not look like %s', (one, other) => {
  expect(toNameSkeleton(one)).not.toBe(toNameSkeleton(other))
})
