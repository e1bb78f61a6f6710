import { type Address, runAtOnce } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { Snapshot } from '../takeSnapshot.ts'
import type { TokenMarket } from '../tokenMarket.ts'
import { addOrganic } from './addOrganic.ts'
import type { PoolOwner } from './findOwners.ts'

const id = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Address
const e18 = 10n ** 18n
const [token, own, other, wallet] = [id(1), id(2), id(3), id(0xabc4)]

/** A token whose price two pools set, of 900 and 100 dollars. */
const market = {
  token: { id: token },
  quote: {
    steps: [
      {
        token,
        pools: [
          { pool: own, weightUsdE18: 900n * e18 },
          { pool: other, weightUsdE18: 100n * e18 },
        ],
      },
    ],
  },
  warnings: [{ code: 'sell-tax', text: 'a tax' }],
} as unknown as TokenMarket

function warningsOf(owners: readonly (readonly [Address, PoolOwner])[], one = market) {
  const snapshot: Snapshot = { atBlock: undefined, markets: [one], byToken: new Map([[token, one]]) }
  const added = runAtOnce(addOrganic(snapshot, { tokens: new Map(), feeMin: undefined, owners: new Map(owners) }))
  expect(added.byToken.get(token)).toBe(added.markets[0])
  return added.markets[0]?.warnings.map(({ text }) => text)
}

const owns = (millionths: bigint, group = 'a group'): PoolOwner => ({ group, provider: wallet, millionths })

it('warns of a provider who owns over four fifths of the depth that sets the price', () => {
  expect(
    warningsOf([
      [own, owns(1_000_000n)],
      [other, owns(500_000n)],
    ]),
  ).toEqual([
    'a tax',
    'One provider, 0x0000…abc4, owns 95 % of the liquidity near the price ($950.00 of $1.00K of depth) in the pools that set the price, and can withdraw it at any time',
  ])
  // 0.9 x 0.9, and then 0.9 x 0.88: another provider has the small pool.
  expect(
    warningsOf([
      [own, owns(900_000n)],
      [other, owns(1_000_000n, 'another')],
    ])?.length,
  ).toBe(2)
  expect(
    warningsOf([
      [own, owns(880_000n)],
      [other, owns(1_000_000n, 'another')],
    ]),
  ).toEqual(['a tax'])
})

it('says nothing of pools whose providers are not known, and of prices without pools', () => {
  expect(warningsOf([])).toEqual(['a tax'])
  const stable = { ...market, quote: { steps: [] } } as unknown as TokenMarket
  expect(warningsOf([[own, owns(1_000_000n)]], stable)).toEqual(['a tax'])
})
