import type { WireToken } from '@chainboard/contract'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testToken } from '../../token/testToken.ts'
import { listRunning, refreshBoosted, withBoosts } from './useBoosted.ts'

const paid = '0x00000000000000000000000000000000000000AA'
const until = (address: string, expirationTime: number): WireToken => ({
  ...{ ...testToken, address },
  boostInfo: { isBoosted: true, expirationTime, remainingHours: 24, remainingMinutes: 0 },
})
/** Boosts of others that last longer, as many as the server gives at once. */
const others = Array.from({ length: 250 }, (_, i) => until(`0x${String(i).padStart(40, '0')}`, 9_000))

/** A server that knows `known` of the token that was paid for, which stands on the next page of the boosted ones. */
function answer(known: readonly WireToken[]): void {
  vi.stubGlobal('fetch', async (url: string) => {
    const tokens = url.includes('addresses=') ? known : others
    return Response.json(tokens, { headers: { 'x-total-count': '251' } })
  })
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function refresh(): Promise<boolean> {
  const refreshed = refreshBoosted(new QueryClient(), paid, 5_000)
  await vi.runAllTimersAsync()
  return refreshed
}

test('a token that was paid for is known of, however many boosts of others last longer', async () => {
  answer([until(paid.toLowerCase(), 5_000)])
  expect(await refresh()).toBe(true)
})

test.each([
  ['knows of no boost', [{ ...testToken, address: paid }]],
  ['knows of an earlier one alone', [until(paid, 4_999)]],
  ['does not list it', []],
])('a token is not known of while the server %s', async (_, known) => {
  answer(known)
  expect(await refresh()).toBe(false)
})

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
