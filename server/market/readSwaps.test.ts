import { type Address, e18ToNumber } from '@chainboard/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { followChain } from '../indexer/followChain.ts'
import { toValuation } from '../networkFile.ts'
import { wholeIndex } from '../store/indexSwitch.ts'
import type { Store } from '../store/store.ts'
import { followingDefaults, limitDefaults } from '../testing/following.ts'
import { alpha, alphaPool, factory, listed, networkFile, openMarket, sqrtPrices, swap, wrappedPool } from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createIndexHistory } from './indexHistory.ts'
import { createMarketSource } from './marketSource.ts'
import { readSwaps } from './readSwaps.ts'
import type { DisplayPool, PoolHistory } from './source.ts'
import { takeSnapshot } from './takeSnapshot.ts'
import { toTokenList } from './tokenList.ts'

const stores = createTempStores()
const hour = 3_600
/** 10^18 / (1600 x 10^6) = 25,000^2. */
const coinTo1600 = swap(wrappedPool, 25_000n * 2n ** 96n, -1_600_000_000n, 10n ** 18n)
/** A seller of one ALPHA gets 0.01 of the coin. */
const sellAlpha = swap(alphaPool, sqrtPrices.alphaAt25, 10n ** 8n, -(10n ** 16n))

let chain: FakeChain
let store: Store
beforeEach(async () => {
  // The market opens as an hour begins: the coin at 2,500 dollars, ALPHA at 0.0025 of it.
  chain = new FakeChain({ genesisAtSeconds: 1_699_999_200 - 12 })
  openMarket(chain)
  store = await stores.openNew('sqlite')
})

/** Follows the chain until its tip is in the index. */
async function index(): Promise<void> {
  const full = Promise.withResolvers<void>()
  const follower = followChain({
    ...followingDefaults,
    chain,
    store,
    limits: limitDefaults,
    scope: { factory, onlyTokens: undefined, valuation: toValuation(networkFile) },
    onChange: ({ caughtUp }) => caughtUp && full.resolve(),
  })
  await full.promise
  await follower.stop()
}

async function displayPool(token: Address): Promise<DisplayPool> {
  const snapshot = await takeSnapshot(createMarketSource(wholeIndex(store), networkFile), toTokenList(listed, []))
  return snapshot.byToken.get(token)?.displayPool as DisplayPool
}

/** US dollars of each swap and of the token then, newest first. */
async function dollars(
  token: Address,
  history: PoolHistory = createIndexHistory(wholeIndex(store)),
): Promise<(number | undefined)[][]> {
  const swaps = await readSwaps(history, await displayPool(token), 20)
  return swaps.map(({ usdE18, tokenUsdE18 }) => [usdE18, tokenUsdE18].map((usd) => (usd === undefined ? usd : e18ToNumber(usd))))
}

/** The index as a history that says something else of what swaps were worth: undefined like a subgraph of pools it does not track. */
function saying(usdE18: bigint | undefined): PoolHistory {
  const history = createIndexHistory(wholeIndex(store))
  return {
    ...history,
    listNewestSwaps: async (pool, limit) => (await history.listNewestSwaps(pool, limit)).map((each) => ({ ...each, usdE18 })),
  }
}

describe('the dollars of a swap', () => {
  it('stay what they were, whatever the coin is worth later in the same hour and after it', async () => {
    chain.mine([sellAlpha])
    await index()
    expect(await dollars(alpha)).toEqual([[25, 25]])
    chain.mine([coinTo1600])
    await index()
    expect(await dollars(alpha)).toEqual([[25, 25]])
    chain.mine([sellAlpha], 2 * hour)
    await index()
    expect(await dollars(alpha)).toEqual([
      [16, 16],
      [25, 25],
    ])
  })

  it('are those of the window that ends with its block: what the coin was worth in the middle of it may have cost nothing', async () => {
    chain.mine([sellAlpha, coinTo1600, sellAlpha])
    await index()
    expect(await dollars(alpha)).toEqual([
      [25, 25],
      [25, 25],
    ])
  })

  it('are none where nothing had a price', async () => {
    chain.mine([sellAlpha])
    await index()
    expect(await dollars(alpha, saying(0n))).toEqual([[undefined, undefined]])
  })

  it('of dust tell no price of the token', async () => {
    chain.mine([swap(alphaPool, sqrtPrices.alphaAt25, 1n, -100_000n)])
    await index()
    // 10^-13 of the coin at 2,500 dollars.
    expect(await dollars(alpha)).toEqual([[2.5e-10, undefined]])
  })
})

describe('a history that does not say what swaps were worth', () => {
  it('has them valued at the end of the hour before, which does not change', async () => {
    chain.mine([sellAlpha], 2 * hour)
    await index()
    expect(await dollars(alpha, saying(undefined))).toEqual([[25, 25]])
    chain.mine([coinTo1600])
    await index()
    expect(await dollars(alpha, saying(undefined))).toEqual([[25, 25]])
    chain.mine([sellAlpha], hour)
    await index()
    expect(await dollars(alpha, saying(undefined))).toEqual([
      [16, 16],
      [25, 25],
    ])
  })
})
