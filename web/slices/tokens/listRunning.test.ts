import type { WireToken } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { testToken } from '../../token/testToken.ts'
import { listRunning, withBoosts } from './listRunning.ts'

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

test('a boosted token stays one while figures come that know of no boost', () => {
  const { boostInfo: _, ...figures } = boosted('NEXT', 0)
  const [shown] = withBoosts([{ ...figures, priceInUsd: 7 }], [boosted('NEXT', 1_001)])
  expect([shown?.priceInUsd, shown?.boostInfo?.expirationTime]).toEqual([7, 1_001])
})
