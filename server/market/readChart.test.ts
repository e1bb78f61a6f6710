import { type Address, e18ToNumber } from '@chainboard/core'
import { beforeAll, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { followChain } from '../indexer/followChain.ts'
import { toValuation } from '../networkFile.ts'
import { wholeIndex } from '../store/indexSwitch.ts'
import type { Store } from '../store/store.ts'
import { followingDefaults, limitDefaults } from '../testing/following.ts'
import {
  alpha,
  alphaPool,
  factory,
  listed,
  networkFile,
  openMarket,
  sqrtPrices,
  swap,
  wrapped,
  wrappedPool,
} from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createIndexHistory } from './indexHistory.ts'
import { createMarketSource } from './marketSource.ts'
import { readChart } from './readChart.ts'
import type { PoolHistory } from './source.ts'
import { type Snapshot, takeSnapshot } from './takeSnapshot.ts'
import { toTokenList } from './tokenList.ts'
import type { TokenMarket } from './tokenMarket.ts'

const stores = createTempStores()
const hour = 3_600
let store: Store
let snapshot: Snapshot

// ALPHA at 6.25 dollars for 24 hours, then at 25 for 24: the last block is in the 48th hour.
beforeAll(async () => {
  const chain = new FakeChain({ genesisAtSeconds: 1_699_999_200 - 12 })
  openMarket(chain)
  chain.mine([swap(alphaPool, sqrtPrices.alphaAt25, -1n, 1n)], 24 * hour)
  chain.mine([], 23 * hour)
  ;[store, snapshot] = await index(chain)
})

async function index(chain: FakeChain): Promise<[Store, Snapshot]> {
  const indexed = await stores.openNew('sqlite')
  const full = Promise.withResolvers<void>()
  const follower = followChain({
    ...followingDefaults,
    chain,
    store: indexed,
    limits: limitDefaults,
    scope: { factory, onlyTokens: undefined, valuation: toValuation(networkFile) },
    onChange: ({ caughtUp }) => caughtUp && full.resolve(),
  })
  await full.promise
  await follower.stop()
  return [indexed, await takeSnapshot(createMarketSource(wholeIndex(indexed), networkFile), toTokenList(listed, []))]
}

const market = () => snapshot.byToken.get(alpha as Address) as TokenMarket
const prices = async (range: '1w' | '1m', of: TokenMarket) =>
  (await readChart(createIndexHistory(wholeIndex(store)), snapshot, of, range)).points.map(({ value }) => e18ToNumber(value))

it('averages a month by days', async () => {
  expect(await prices('1m', market())).toEqual([6.25, 25])
})

it('scales every hour so that the newest is the price of whichever source, before it averages', async () => {
  const quote = market().quote as NonNullable<TokenMarket['quote']>
  // Another source says 50 where the pool says 25: everything doubles.
  const elsewhere = { ...market(), quote: { ...quote, usdE18: 50n * 10n ** 18n, lastUsdE18: undefined } }
  expect(await prices('1w', elsewhere)).toEqual([...Array(24).fill(12.5), ...Array(24).fill(50)])
  expect(await prices('1m', elsewhere)).toEqual([12.5, 50])
})

it('ends a month with the price of now, not with the average of its day', async () => {
  const history = createIndexHistory(wholeIndex(store))
  // The rise to 25 dollars half a day later: the second day has 15.63 on average.
  const later: typeof history = {
    ...history,
    listHoursCovering: async (pools, hours) => {
      const covering = await history.listHoursCovering(pools, hours)
      const moved = (covering.get(alphaPool as Address) ?? []).map((each) =>
        each.sqrtPriceX96 === sqrtPrices.alphaAt25 ? { ...each, startSeconds: each.startSeconds + 12 * hour } : each,
      )
      return new Map([...covering, [alphaPool as Address, moved]])
    },
  }
  const { points } = await readChart(later, snapshot, market(), '1m')
  expect(points.map(({ value }) => e18ToNumber(value))).toEqual([6.25, 25])
  const week = await readChart(later, snapshot, market(), '1w')
  expect(week.points.map(({ value }) => e18ToNumber(value))).toEqual([...Array(36).fill(6.25), ...Array(12).fill(25)])
})

it('says of an hour what volume24h says of it: each swap at the price of its moment', async () => {
  const chain = new FakeChain({ genesisAtSeconds: 1_699_999_200 - 12 })
  openMarket(chain)
  // One coin for 1,600 dollars, and back for 2,500, in the fourth hour: 10^18 / (1600 x 10^6) = 25,000^2.
  const wrappedAt1600 = 25_000n * 2n ** 96n
  chain.mine([swap(wrappedPool, wrappedAt1600, -1_600_000_000n, 10n ** 18n)], 3.25 * hour)
  chain.mine([swap(wrappedPool, sqrtPrices.wrappedAt2500, 2_500_000_000n, -(10n ** 18n))], 0.25 * hour)
  chain.mine([], 2 * hour)
  const [busy, seen] = await index(chain)
  const coin = seen.byToken.get(wrapped) as TokenMarket
  expect(coin.volume24hUsdE18).toBe(4_100n * 10n ** 18n)
  const volumesOf = async (history: PoolHistory) => {
    const [day, month] = await Promise.all(
      (['1d', '1m'] as const).map(async (range) => (await readChart(history, seen, coin, range)).candles),
    )
    return [day, month].map((candles) => candles?.map(({ volumeUsdE18 }) => e18ToNumber(volumeUsdE18)))
  }
  const history = createIndexHistory(wholeIndex(busy))
  expect(await volumesOf(history)).toEqual([[4_100], [4_100]])
  // A subgraph's hours have no dollars of their own. The dollars in the pool are the nearer side, as they are to volume24h.
  const plain: PoolHistory = {
    ...history,
    listHoursCovering: async (pools, hours) => {
      const covering = await history.listHoursCovering(pools, hours)
      return new Map([...covering].map(([pool, each]) => [pool, each.map(({ volumeUsdE18: _, ...rest }) => rest)]))
    },
  }
  expect(await volumesOf(plain)).toEqual([[4_100], [4_100]])
})
