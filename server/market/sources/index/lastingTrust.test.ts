import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { findLastingTrust } from './lastingTrust.ts'

const token = `0x${'20'.repeat(20)}` as Address
const hour = 3_600
/** The least confidence by the hour of its token, in hundredths; as the hour `now` begins. */
const lastingAt = (now: number, byHour: Readonly<Record<number, number>>) => {
  const hours = Object.entries(byHour).map(([at, trust]) => ({ token, startSeconds: Number(at) * hour, trust }))
  const ascending = hours.toSorted((a, b) => a.startSeconds - b.startSeconds)
  return findLastingTrust(ascending, now * hour).get(token)
}

it('new confidence counts when it has lasted for over half of a day', () => {
  const moved = { [-9]: 33, 11: 92 }
  // From the end of hour 11 on.
  expect(lastingAt(24, moved)).toBe(33)
  expect(lastingAt(25, moved)).toBe(92)
})

it('one bad hour of a day takes nothing away', () => {
  const day = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [at, at === 20 ? 9 : 90]))
  expect(lastingAt(24, day)).toBe(90)
})

it('what happened once counts until something happens again, however long ago it was', () => {
  expect(lastingAt(24, { [-700]: 8 })).toBe(8)
  expect(lastingAt(24, { [-700]: 8, 22: 33 })).toBe(8)
})

it('of a token that is new only what is known counts', () => {
  const fresh = { 19: 45, 21: 90 }
  // Two hours each: of an even split the lower.
  expect(lastingAt(24, fresh)).toBe(45)
  expect(lastingAt(25, fresh)).toBe(90)
  expect(lastingAt(24, { 23: 45 })).toBe(45)
  expect(lastingAt(24, {})).toBeUndefined()
})
