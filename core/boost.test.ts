import { expect, test } from 'vitest'
import { toBoostBarPercent, toBoostInfo, toBoostMultiplier } from './boost.ts'

const hour = 3600

test.each([
  ['a day and a half', 1_000 + 36 * hour, { isBoosted: true, expirationTime: 130_600, remainingHours: 36, remainingMinutes: 0 }],
  ['less than a minute', 1_059, { isBoosted: true, expirationTime: 1_059, remainingHours: 0, remainingMinutes: 0 }],
  ['an hour and 59 seconds', 4_659, { isBoosted: true, expirationTime: 4_659, remainingHours: 1, remainingMinutes: 0 }],
  ['its last second', 1_000, { isBoosted: false, expirationTime: 1_000, remainingHours: 0, remainingMinutes: 0 }],
  ['long ago', 10, { isBoosted: false, expirationTime: 10, remainingHours: 0, remainingMinutes: 0 }],
])('a boost with %s left', (_, expiresAt, info) => {
  expect(toBoostInfo(expiresAt, 1_000)).toEqual(info)
})

test.each([
  [0, 1],
  [24 * hour - 1, 1],
  [24 * hour, 2],
  [47.99 * hour, 2],
  [48 * hour, 3],
  [100 * 24 * hour, 101],
])('%d seconds are a multiplier of %d', (left, multiplier) => {
  expect(toBoostMultiplier(left)).toBe(multiplier)
})

test.each([
  [0, 5],
  [hour, 5],
  [6 * hour, 25],
  [12 * hour, 50],
  [24 * hour, 100],
  [90 * hour, 100],
])('%d seconds are a bar of %d percent', (left, percent) => {
  expect(toBoostBarPercent(left)).toBe(percent)
})
