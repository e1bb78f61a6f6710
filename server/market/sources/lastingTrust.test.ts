import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { findLastingTrust } from './lastingTrust.ts'

const token = `0x${'20'.repeat(20)}` as Address
const hour = 3_600
/** 24 hours after hour 0 began. */
const now = 24 * hour
/** The least confidence by the hour of its token: [hour, hundredths]. */
const lastingOf = (hours: [number, number][], nowSeconds = now) =>
  findLastingTrust(
    hours.map(([at, trust]) => ({ token, startSeconds: at * hour, trust })),
    nowSeconds,
  ).get(token)

it('new confidence counts when it has lasted for half of a day', () => {
  // Trusted 0.33 until hour 11 began, 0.92 from the end of hour 11 on: twelve hours.
  expect(
    lastingOf([
      [-9, 33],
      [11, 92],
    ]),
  ).toBe(33)
  expect(
    lastingOf(
      [
        [-9, 33],
        [11, 92],
      ],
      now + 1,
    ),
  ).toBe(92)
})

it('one bad hour of a day takes nothing away', () => {
  const hours = Array.from({ length: 24 }, (_, at): [number, number] => [at, at === 20 ? 9 : 90])
  expect(lastingOf(hours)).toBe(90)
})

it('what happened once counts until it happens again, however long ago it was', () => {
  expect(lastingOf([[-700, 8]])).toBe(8)
  // The hour that runs does not count yet.
  expect(
    lastingOf([
      [-700, 8],
      [22, 33],
    ]),
  ).toBe(8)
})

it('of a token that is new only what is known counts', () => {
  // Two hours each: of an even split the lower.
  expect(
    lastingOf([
      [19, 45],
      [21, 90],
    ]),
  ).toBe(45)
  expect(
    lastingOf(
      [
        [19, 45],
        [21, 90],
      ],
      now + 2,
    ),
  ).toBe(90)
  expect(lastingOf([])).toBeUndefined()
})
