import { expect, test } from 'vitest'
import { nextAhead, nextClock, toChainNow } from './chainClock.ts'

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

test('while boosts are paused it stands where the server says, and continues after it', () => {
  const tell = (chainSeconds: number, more = {}) => new Headers({ 'x-chain-time': String(chainSeconds), ...more })
  const running = nextClock({ aheadSeconds: 0, pausedAtSeconds: undefined }, tell(1_000), 1_600_000)
  expect(toChainNow(running, 1_610)).toBe(1_010)
  const paused = nextClock(running, tell(1_012, { 'x-boost-clock': 'paused' }), 1_615_000)
  expect([toChainNow(paused, 1_615), toChainNow(paused, 9_000)]).toEqual([1_012, 1_012])
  expect(nextClock(paused, tell(1_012, { 'x-boost-clock': 'paused' }), 1_620_000)).toBe(paused)
  expect(nextClock(paused, new Headers(), 1_620_000)).toBe(paused)
  expect(toChainNow(nextClock(paused, tell(1_025), 1_625_000), 1_630)).toBe(1_030)
})
