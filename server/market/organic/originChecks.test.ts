import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { keepHanded, listOrigins } from './originChecks.ts'

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
