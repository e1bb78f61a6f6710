import type { WireToken } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { describeLock } from './LockMark.tsx'

const nowSeconds = Date.UTC(2026, 10, 21, 12) / 1000
const lockOf = (lockTimer?: string) => describeLock({ ...(lockTimer && { lockTimer }) } as WireToken, nowSeconds)

test('a lock that ends in the future says the UTC day, any other is unlocked', () => {
  expect(lockOf('2031-03-01T00:00:00.000Z')).toBe('Locked until Mar 1, 2031')
  expect(lockOf('2026-11-21T12:00:01Z')).toBe('Locked until Nov 21, 2026')
  expect(lockOf('2026-11-21T12:00:00Z')).toBe('Unlocked')
  expect(lockOf('2020-01-01')).toBe('Unlocked')
})

test('without a date there is no lock to speak of', () => {
  expect(lockOf()).toBeUndefined()
  expect(lockOf('soon')).toBeUndefined()
})
