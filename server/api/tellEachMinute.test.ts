import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { tellEachMinute } from './tellEachMinute.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('tells of the first event at once, of all others once a minute with their number, and then of a first one again', () => {
  const told: number[] = []
  const happen = tellEachMinute((count) => told.push(count))
  for (let i = 0; i < 37_330; i += 1) happen()
  expect(told).toEqual([1])
  vi.advanceTimersByTime(59_999)
  expect(told).toEqual([1])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([1, 37_329])
  happen()
  vi.advanceTimersByTime(60_000)
  expect(told).toEqual([1, 37_329, 1])
  vi.advanceTimersByTime(60_000)
  expect(told).toHaveLength(3)
  happen()
  expect(told).toEqual([1, 37_329, 1, 1])
})
