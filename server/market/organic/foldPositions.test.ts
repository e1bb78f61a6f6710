import type { Address, Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { PositionChange } from '../../store/origins.ts'
import { createPositionFold, type Trade } from './foldPositions.ts'

const wallet = (i: number) => `0x${i.toString(16).padStart(40, '0')}` as Address
const [manager, first, second] = [wallet(1), wallet(2), wallet(3)]

type Made = { readonly at: number; readonly by: Address | undefined; readonly delta: bigint; readonly ticks?: [number, number] }

/** What is kept of changes, each in a block, beside trades in other blocks that went from tick 0 to 1000. */
function fold(changes: readonly Made[], tradeBlocks: readonly number[] = []) {
  const base = { logIndex: 0, timestampSeconds: 0 }
  const trades = tradeBlocks.map((blockNumber) => ({ ...base, blockNumber, tick: 1_000, tickBefore: 0, usdE18: 1n }) as Trade)
  const { add, list } = createPositionFold(trades, 0)
  for (const { at, by: origin, delta, ticks: [tickLower, tickUpper] = [-60, 60] } of changes) {
    const sent = { ...base, blockNumber: at, txHash: `0x${at}` as Hex, origin }
    const change: PositionChange = { ...sent, owner: manager, sender: manager, tickLower, tickUpper, delta, usdE18: 10n }
    add(change)
  }
  return list().map(({ blockNumber, origin, delta, usdE18 }) => [blockNumber, origin, delta, usdE18])
}

it('adds up what a wallet did with a position between two trades', () => {
  const made = [
    { at: 1, by: first, delta: 4n },
    { at: 2, by: first, delta: 4n },
    { at: 3, by: first, delta: -2n },
    { at: 5, by: first, delta: 1n },
  ]
  // Of 20 dollars three quarters are left.
  expect(fold(made, [4])).toEqual([
    [3, first, 6n, 15n],
    [5, first, 1n, 10n],
  ])
})

it('keeps what was there at a trade although it is gone, and nothing that was not', () => {
  const [mint, burn] = [
    { by: first, delta: 7n },
    { by: second, delta: -7n },
  ]
  expect(
    fold(
      [
        { ...mint, at: 1 },
        { ...burn, at: 3 },
      ],
      [2],
    ).map(([at]) => at),
  ).toEqual([1, 3])
  expect(
    fold(
      [
        { ...mint, at: 1 },
        { ...burn, at: 3 },
      ],
      [4],
    ),
  ).toEqual([])
  expect(
    fold(
      [
        { ...mint, at: 5 },
        { ...burn, at: 6 },
      ],
      [4, 7],
    ),
  ).toEqual([])
})

it('adds nothing up of wallets that are not known', () => {
  const made = [1, 2].map((at) => ({ at, by: undefined, delta: 4n }))
  expect(fold(made).map(([at]) => at)).toEqual([1, 2])
})

it('puts what was added before what was removed', () => {
  const made = [
    { at: 1, by: second, delta: 1n },
    { at: 2, by: first, delta: 7n },
    { at: 3, by: second, delta: -8n },
    { at: 4, by: first, delta: 1n },
  ]
  expect(fold(made.slice(0, 3))).toEqual([])
  expect(fold(made).map(([, by, delta]) => [by, delta])).toEqual([[first, 1n]])
  expect(fold([{ at: 0, by: second, delta: 9n }, ...made]).map(([, by, delta]) => [by, delta])).toEqual([
    [second, 2n],
    [first, 8n],
  ])
})

it('leaves out positions that no trade went through and that are not near the price', () => {
  const at = (tickLower: number, tickUpper: number): Made => ({ at: 1, by: first, delta: 1n, ticks: [tickLower, tickUpper] })
  expect(fold([at(-600, -198), at(199, 600)])).toEqual([])
  expect(fold([at(-600, -197), at(198, 600)]).length).toBe(2)
  expect(fold([at(1_000, 1_200)])).toEqual([])
  expect(fold([at(1_000, 1_200), at(1_001, 1_200)], [2]).length).toBe(1)
})
