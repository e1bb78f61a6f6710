import type { WireWarning } from '@chainboard/contract'
import { type Address, runAtOnce } from '@chainboard/core'
import { expect, it } from 'vitest'
import { keepLearned } from './keepLearned.ts'
import type { Snapshot } from './takeSnapshot.ts'
import type { TokenMarket } from './tokenMarket.ts'

const [one, two] = ['0x01', '0x02'].map((id) => id as Address) as [Address, Address]
const cannotSell: WireWarning = { code: 'cannot-sell', text: 'no sale' }
const lookalike: WireWarning = { code: 'lookalike', text: 'named like another' }
const tax = (text: string): WireWarning => ({ code: 'sell-tax', text })

const market = (id: Address, warnings: readonly WireWarning[], organic?: string) =>
  ({ token: { id }, quote: {}, warnings, ...(organic === undefined ? {} : { organic }) }) as unknown as TokenMarket

function snapshotOf(markets: readonly TokenMarket[], feeMin?: number): Snapshot {
  const byToken = new Map(markets.map((each) => [each.token.id, each]))
  return { atBlock: undefined, markets, byToken, ...(feeMin === undefined ? {} : { feeMin }) }
}

it('a new leader keeps what the one before had learned, and says what it has learned itself', () => {
  const before = snapshotOf([market(one, [cannotSell, tax('5 %'), lookalike], 'half'), market(two, [], 'all')], 100)
  const found = runAtOnce(keepLearned(snapshotOf([market(one, [tax('6 %')]), market(two, [], 'none')]), before))
  expect(found.byToken.get(one)).toBe(found.markets[0])
  // A lookalike is worked out with each snapshot: it is none any more.
  expect(found.markets[0]).toMatchObject({ warnings: [tax('6 %'), cannotSell], organic: 'half' })
  expect(found.markets[1]).toMatchObject({ warnings: [], organic: 'none' })
  expect(found.feeMin).toBe(100)
})
