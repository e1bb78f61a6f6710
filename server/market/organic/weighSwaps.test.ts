import type { Address, Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import { sumProvided } from './joinProviders.ts'
import { createPositionBook, weighSwaps } from './weighSwaps.ts'

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
  return book.findLargest({ from: 0, to: 1 })
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

const place = { txHash: '0x' as Hex, timestampSeconds: 1 }
const change = (blockNumber: number, origin: Address, delta: bigint, usdE18 = 0n) => ({
  ...{ ...place, blockNumber, logIndex: 1, origin, delta, usdE18 },
  ...{ owner: manager, sender: manager, tickLower: 0, tickUpper: 60 },
})

it('counts of a swap by a wallet that provides through a position manager what others but it and the largest have', () => {
  const router = giver
  const changes = [change(1, first, 51n), change(2, second, 30n), change(3, third, 19n)]
  const trade = (origin: Address) => ({
    ...{ ...place, blockNumber: 4, logIndex: 1, origin, sender: router, recipient: origin, usdE18: 1n },
    ...{ amount0: 1n, amount1: -1n, tick: 0, tickBefore: 0 },
  })
  const parts = weighSwaps(
    { address: taker, changes, trades: [taker, second, third, first].map(trade) } as never,
    {
      ...{
        providerOf: ({ origin }: { origin: Address | undefined }) => origin,
        traderOf: ({ origin }: { origin: Address }) => origin,
      },
      ...{ isOfProvider: () => false, groupOf: (party: string) => party },
    } as never,
  )
  // Of 100: 49 are not the largest one's; 30 and 19 of them are the traders' own.
  expect(parts).toEqual([490_000n, 190_000n, 300_000n, 490_000n])
})

it('a provider has the part of what it brought that is still there, at whatever price the rest was taken out', () => {
  // $1,000 brought; half of it taken out when that was worth $990.
  const changes = [
    change(1, first, 10n, 1_000n),
    change(2, first, -5n, 990n),
    change(3, second, 4n, 300n),
    change(4, second, -4n, 10n),
  ]
  const provided = sumProvided([{ changes } as never], ({ origin }) => origin)
  expect([provided.get(first), provided.get(second)]).toEqual([500n, undefined])
})
