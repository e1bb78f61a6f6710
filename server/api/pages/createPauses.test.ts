import { expect, test } from 'vitest'
import { createPauses } from './createPauses.ts'

/** Pauses at a clock that the test sets. */
function open({ keysMax = 256, rowMax = 1_000 } = {}) {
  const clock = { ms: 0 }
  const pauses = createPauses({ pauseMs: 1_000, pauseMsMax: 60_000, keysMax, rowMax }, () => clock.ms)
  /** How long a key pauses from now on, to the millisecond, up to two minutes. */
  const pauseOf = (key: string) => {
    const from = clock.ms
    for (let ms = 0; ms <= 120_000; ms += 500) {
      clock.ms = from + ms
      if (!pauses.may(key)) continue
      clock.ms = from + ms - 1
      const isExact = ms === 0 || !pauses.may(key)
      clock.ms = from
      return isExact ? ms : undefined
    }
    clock.ms = from
    return undefined
  }
  /** Of something that is begun and fails in the same moment. */
  const fail = (key: string) => pauses.fail(key, clock.ms)
  return { pauses, fail, pauseOf }
}

test('a page that keeps failing is tried ever more rarely, but at least once a minute', () => {
  const { fail, pauseOf } = open()
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => {
    fail('/a')
    return pauseOf('/a')
  })
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
})

test('however often it has failed, it pauses for a minute', () => {
  const { fail, pauseOf } = open()
  for (let i = 0; i < 6; i += 1) fail('/a')
  const waits = new Set<number | undefined>()
  for (let i = 0; i < 1_100; i += 1) {
    fail('/a')
    waits.add(pauseOf('/a'))
  }
  expect([...waits]).toEqual([60_000])
})

test('a page that fails keeps no other from its turn, and is as new once it succeeds', () => {
  const { pauses, fail, pauseOf } = open()
  for (let i = 0; i < 3; i += 1) fail('/a')
  expect([pauseOf('/a'), pauseOf('/b')]).toEqual([4_000, 0])
  pauses.succeed('/a')
  expect(pauseOf('/a')).toBe(0)
  fail('/a')
  expect(pauseOf('/a')).toBe(1_000)
})

test('when only failures come, all pause, ever longer, also pages that nobody has tried', () => {
  const { fail, pauseOf } = open({ rowMax: 3 })
  const waits = ['/a', '/b', '/c', '/d', '/e'].map((key) => {
    fail(key)
    return pauseOf('/new')
  })
  expect(waits).toEqual([0, 0, 1_000, 2_000, 4_000])
  // Its own pause of a second is over before.
  expect(pauseOf('/a')).toBe(4_000)
})

test('one success among failures shows that not everything is broken', () => {
  const { pauses, fail, pauseOf } = open({ rowMax: 3 })
  for (const key of ['/a', '/b']) fail(key)
  pauses.succeed('/c')
  for (const key of ['/d', '/e']) fail(key)
  expect(pauseOf('/new')).toBe(0)
  fail('/f')
  expect(pauseOf('/new')).toBe(1_000)
})

test('so many addresses are remembered; a flood of others makes it forget those that failed longest ago', () => {
  const { fail, pauseOf } = open({ keysMax: 3 })
  for (const key of ['/a', '/b', '/c', '/a', '/d']) fail(key)
  expect(['/a', '/b', '/c', '/d'].map(pauseOf)).toEqual([2_000, 0, 1_000, 1_000])
})
