import { expect, it } from 'vitest'
import { createRepairs } from './createRepairs.ts'

const seconds = 1_000

it('a block is read again three times at once, then after a minute, two, four, and at most after an hour', () => {
  let nowMs = 0
  const repairs = createRepairs(() => nowMs)
  const waitsMs: number[] = []
  for (let i = 0; i < 11; i += 1) {
    repairs.repaired(7)
    const startMs = nowMs
    while (!repairs.mayRepair(7)) nowMs += seconds
    waitsMs.push(nowMs - startMs)
  }
  expect(waitsMs.map((ms) => ms / seconds)).toEqual([0, 0, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
  expect(repairs.count()).toBe(11)
})

it('a block that nothing was found at may be read again', () => {
  const repairs = createRepairs(() => 0)
  for (let i = 0; i < 3; i += 1) repairs.repaired(7)
  expect([repairs.mayRepair(7), repairs.mayRepair(8)]).toEqual([false, true])
})

it('a block that could not be read again waits from the first time on', () => {
  let nowMs = 0
  const repairs = createRepairs(() => nowMs)
  const waitsMs: number[] = []
  for (let i = 0; i < 3; i += 1) {
    repairs.failed(7)
    const startMs = nowMs
    while (!repairs.mayRepair(7)) nowMs += seconds
    waitsMs.push(nowMs - startMs)
  }
  expect(waitsMs.map((ms) => ms / seconds)).toEqual([60, 120, 240])
  expect(repairs.count()).toBe(0)
})

it('all of the index is read again once', () => {
  const repairs = createRepairs(() => 0)
  expect([repairs.mayBeginAnew(), repairs.mayBeginAnew()]).toEqual([true, false])
})
