import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { pickTrending } from './pickTrending.ts'
import type { Snapshot } from './takeSnapshot.ts'
import type { TokenMarket } from './tokenMarket.ts'

const id = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Address
const e18 = 10n ** 18n

type Volumes = { readonly gross: number; readonly organic?: number; readonly isChecked?: boolean }

function snapshotOf(volumes: readonly Volumes[], feeMin?: number): Snapshot {
  const markets = volumes.map(({ gross, organic, isChecked = true }, i) => ({
    token: { id: id(i + 1), symbol: `T${i + 1}` },
    volume24hUsdE18: BigInt(gross) * e18,
    ...(organic === undefined ? {} : { organic: { usdE18: BigInt(organic) * e18, coverage: 1, isChecked } }),
    rank: i + 1,
  })) as unknown as TokenMarket[]
  return { atBlock: undefined, markets, byToken: new Map(), ...(feeMin === undefined ? {} : { feeMin }) }
}

const places = (...args: Parameters<typeof pickTrending>) =>
  pickTrending(...args).map(({ market, costUsdE18 }) => [market.token.symbol, costUsdE18])
const none = new Set<Address>()

it('takes the five with most organic volume, and says what each place costs in fees', () => {
  const volumes = [10, 60, 50, 40, 30, 20].map((organic) => ({ gross: 1_000_000, organic }))
  expect(places(snapshotOf(volumes, 500), { knowsOrigins: true, without: none })).toEqual([
    ['T2', 3n * 10n ** 16n],
    ['T3', 25n * 10n ** 15n],
    ['T4', 2n * 10n ** 16n],
    ['T5', 15n * 10n ** 15n],
    ['T6', 10n ** 16n],
  ])
})

it('leaves out what has gross volume alone, and what was not compared', () => {
  const volumes = [{ gross: 9 }, { gross: 8, organic: 0 }, { gross: 7, organic: 6, isChecked: false }, { gross: 5, organic: 4 }]
  expect(places(snapshotOf(volumes), { knowsOrigins: true, without: none })).toEqual([['T4', undefined]])
})

it('goes by gross volume where no origins are known', () => {
  const volumes = [{ gross: 1 }, { gross: 3 }, { gross: 0 }, { gross: 2 }]
  const found = places(snapshotOf(volumes), { knowsOrigins: false, without: none })
  expect(found).toEqual(['T2', 'T4', 'T1'].map((symbol) => [symbol, undefined]))
})

it('leaves out the tokens that take no part', () => {
  const volumes = [
    { gross: 5, organic: 5 },
    { gross: 4, organic: 4 },
  ]
  const found = pickTrending(snapshotOf(volumes), { knowsOrigins: true, without: new Set([id(1)]) })
  expect(found.map(({ market }) => market.token.symbol)).toEqual(['T2'])
})
