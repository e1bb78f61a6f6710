import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { type CheckFailure, cutOrigins, keepHanded, listOrigins, noteCheck } from './originChecks.ts'

const wallet = (i: number) => `0x${i.toString(16).padStart(40, '0')}` as Address
const [token, first, second, third] = [0xe1, 1, 2, 3].map(wallet) as [Address, Address, Address, Address]

it('compares the 400 traders of which most counts', () => {
  const spam = Array.from({ length: 400 }, (_, i) => [wallet(1_000 + i), 0n] as const)
  const listed = listOrigins(token, [], { ranks: new Map([...spam, [first, 1n]]), providerOf: () => undefined })
  expect([listed.length, listed[0]]).toEqual([400, first])
})

it('keeps what was handed on between wallets that are no longer compared for an hour', () => {
  const handed = (to: Address, amountRaw: bigint) => ({ token, from: first, to, amountRaw })
  const before = keepHanded([], { origins: new Set([first, second]), handed: [handed(second, 7n)], atMs: 0 })
  const other = { origins: new Set([first, third]), handed: [handed(third, 1n)] }
  expect(keepHanded(before, { ...other, atMs: 3_599_999 }).map(({ amountRaw }) => amountRaw)).toEqual([1n, 7n])
  expect(keepHanded(before, { ...other, atMs: 3_600_000 }).map(({ amountRaw }) => amountRaw)).toEqual([1n])
  // Compared again: what is found now.
  expect(keepHanded(before, { origins: new Set([first, second]), handed: [], atMs: 1 })).toEqual([])
})

it('tries a token whose transfers are too many after 1 to 10 minutes, with half of its wallets each time', () => {
  const origins = Array.from({ length: 500 }, (_, i) => wallet(i))
  let failure: CheckFailure | undefined
  const found = Array.from({ length: 7 }, () => {
    failure = noteCheck(failure, 'too-many', 0)
    return [failure?.untilMs, cutOrigins(origins, failure).length]
  })
  expect(found).toEqual([
    [60_000, 250],
    [120_000, 125],
    [240_000, 62],
    [480_000, 31],
    [600_000, 15],
    [600_000, 8],
    [600_000, 8],
  ])
  // Once they are read, twice as many ten minutes later.
  expect(noteCheck({ times: 2, untilMs: 0 }, 'read', 7)).toEqual({ times: 1, untilMs: 600_007 })
  expect(noteCheck({ times: 1, untilMs: 0 }, 'read', 7)).toBeUndefined()
  // A node that does not answer says nothing about the wallets.
  expect(noteCheck({ times: 2, untilMs: 0 }, 'not-answered', 7)).toEqual({ times: 2, untilMs: 60_007 })
})
