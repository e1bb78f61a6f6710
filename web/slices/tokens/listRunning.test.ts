import type { WireToken } from '@chainboard/core'
import { expect, test } from 'vitest'
import { listRunning } from './listRunning.ts'
import { testToken } from './testToken.ts'

const boosted = (symbol: string, expirationTime: number, isBoosted = true): WireToken => ({
  ...testToken,
  symbol,
  boostInfo: { isBoosted, expirationTime, remainingHours: 0, remainingMinutes: 0 },
})

const list = [boosted('LATE', 1_300), boosted('OVER', 1_000), boosted('NEXT', 1_001), testToken, boosted('GONE', 1_200, false)]

test('the boost with the most time left stands first, and one that has ended nowhere', () => {
  expect(listRunning(list, 1_000).map(({ symbol }) => symbol)).toEqual(['LATE', 'NEXT'])
  expect(listRunning(list, 1_001).map(({ symbol }) => symbol)).toEqual(['LATE'])
  expect(listRunning(list, 1_300)).toEqual([])
})
