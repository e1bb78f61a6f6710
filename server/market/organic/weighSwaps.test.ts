import type { Address, Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import { createPositionBook } from './weighSwaps.ts'

const wallet = (i: number) => `0x${i.toString(16).padStart(40, '0')}` as Address
const [manager, first, second, third, giver, taker] = [1, 2, 3, 4, 5, 6].map(wallet) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]

/** A book of one position manager's, whose users are told by who signed. */
function openBook(...changes: readonly (readonly [Address | undefined, bigint])[]) {
  const book = createPositionBook({ providerOf: ({ origin }) => origin, groupOf: (party) => party })
  const place = { blockNumber: 1, logIndex: 1, timestampSeconds: 1, txHash: '0x' as Hex, usdE18: 0n }
  for (const [origin, delta] of changes)
    book.change({ ...place, origin, delta, owner: manager, sender: undefined, tickLower: 0, tickUpper: 60 })
  return book.findLargest(0)
}

it('takes what a wallet burns from its own first', () => {
  expect(openBook([first, 10n], [second, 30n], [first, -10n])).toMatchObject({ total: 30n, largest: 30n, provider: second })
})

it('takes what somebody burns without having it from unknown owners, then from the largest ones alike', () => {
  const made = [
    [first, 10n],
    [second, 12n],
    [third, 30n],
    [undefined, 5n],
  ] as const
  expect(openBook(...made, [taker, -5n])).toMatchObject({ total: 52n, ofUnknown: 0n, largest: 30n, provider: third })
  // 30 down to 12, then both to 11.
  expect(openBook(...made, [taker, -25n])).toMatchObject({ total: 32n, largest: 11n })
  // What is left is 4 of the three, of one 2.
  expect(openBook(...made, [taker, -53n])).toMatchObject({ total: 4n, largest: 2n })
  expect(openBook(...made, [taker, -57n])).toMatchObject({ total: 0n, provider: undefined })
})

it('gives nobody a larger share by positions that are given away and burned, however often', () => {
  const round = [
    [giver, 21n],
    [taker, -21n],
  ] as const
  const { total, largest } = openBook([first, 20n], [second, 20n], ...Array.from({ length: 50 }, () => round).flat())
  expect(total).toBe(40n)
  expect(largest).toBeLessThanOrEqual(20n)
})
