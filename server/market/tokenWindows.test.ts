import { beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type IndexReader, wholeIndex } from '../store/indexSwitch.ts'
import { followToHead } from '../testing/followToHead.ts'
import { beta, betaPool, listed, networkFile, openMarket, sqrtPrices, swap } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { createMarketSource } from './marketSource.ts'
import { takeSnapshot } from './takeSnapshot.ts'
import { toTokenList } from './tokenList.ts'
import type { TokenMarket } from './tokenMarket.ts'
import { readTokenWindows } from './tokenWindows.ts'

const stores = createTempStores()
const hour = 3_600
const wallet = (byte: string) => `0x${byte.repeat(20)}` as const
const [ann, bob] = [wallet('b1'), wallet('b2')]
const windowSeconds = 120
const [e6, e18] = [10n ** 6n, 10n ** 18n]

/** BETA at a quarter of a dollar unless the root of its price is another: so many dollars for it, or of it when negative. */
const trade = (who: string, dollars: bigint, root = sqrtPrices.betaAtQuarter) => {
  const made = swap(betaPool, root, dollars * e6, -dollars * 4n * e18, e18)
  return { ...made, args: { ...made.args, recipient: who } }
}

/** Trades as long before the last block: 8 days, 30 hours, 23 hours, half an hour, and now. */
function trades(): FakeChain {
  const chain = new FakeChain({ genesisAtSeconds: 1_700_000_000 })
  openMarket(chain)
  const [a, b, c, d] = [8 * 24 * hour, 30 * hour, 23 * hour, hour / 2]
  chain.mine([trade(ann, 1_000n)])
  chain.mine([trade(ann, 200n)], a - b)
  // At a fifth of the price: half of the root is a quarter, in USDC for BETA: BETA is token1.
  chain.mine([trade(bob, -50n, sqrtPrices.betaAtQuarter * 2n)], b - c)
  chain.mine([trade(ann, 30n)], c - d)
  chain.mine([trade(ann, 7n), trade(bob, -3n)], d)
  return chain
}

describe.each(engines)('the figures of a token over spans of time on %s', (engine) => {
  let index: IndexReader
  let market: TokenMarket
  beforeAll(async () => {
    const store = await stores.openNew(engine)
    await followToHead(trades(), store)
    index = wholeIndex(store)
    const source = createMarketSource(index, networkFile)
    const found = (await takeSnapshot(source, toTokenList(listed, []), 1_800_000_000)).byToken.get(beta)
    if (!found) throw new TypeError('BETA is listed')
    market = found
  })
  const usd = (e: bigint | undefined) => (e === undefined ? e : Number(e / 10n ** 12n) / 1e6)

  it('count what was traded in each, by whom, and which way', async () => {
    const { windows, traders } = await readTokenWindows(index, market, { windowSeconds })
    expect(windows.map(({ span, swaps, volumeUsdE18 }) => [span, swaps, usd(volumeUsdE18)])).toEqual([
      ['5m', 2, 10],
      ['1h', 3, 40],
      ['6h', 3, 40],
      ['24h', 4, 90],
      ['7d', 5, 290],
    ])
    const day = windows.find(({ span }) => span === '24h')?.trades
    expect(day && { ...day, boughtUsdE18: usd(day.boughtUsdE18), soldUsdE18: usd(day.soldUsdE18) }).toEqual({
      ...{ buys: 2, sells: 2, boughtUsdE18: 37, soldUsdE18: 53, traders: 2 },
    })
    expect(windows.find(({ span }) => span === '7d')?.trades).toBeUndefined()
    expect(traders?.map((t) => [t.wallet, usd(t.boughtUsdE18), usd(t.soldUsdE18)])).toEqual([
      [bob, 0, 53],
      [ann, 37, 0],
    ])
  })

  it('count the same by whole hours where there are too many trades to look at, and then name no trader', async () => {
    const { windows, traders } = await readTokenWindows(index, market, { windowSeconds, tradesAtMost: 1 })
    expect(windows.map(({ span, swaps, volumeUsdE18 }) => [span, swaps, usd(volumeUsdE18)])).toEqual([
      ['5m', 2, 10],
      ['1h', 3, 40],
      ['6h', 3, 40],
      ['24h', 4, 90],
      ['7d', 5, 290],
    ])
    expect(windows.map((window) => window.trades)).toEqual([undefined, undefined, undefined, undefined, undefined])
    expect(traders).toBeUndefined()
  })

  it('say the change against the median then, and nothing of a time before the pool', async () => {
    const { windows } = await readTokenWindows(index, market, { windowSeconds })
    // Between 23 hours and half an hour ago BETA was at a quarter of its price.
    expect(windows.map(({ span, changePercent }) => [span, changePercent])).toEqual([
      ['5m', 0],
      ['1h', 300],
      ['6h', 300],
      ['24h', 0],
      ['7d', 0],
    ])
    const young = { ...market, change24hPercent: undefined }
    expect((await readTokenWindows(index, young, { windowSeconds })).windows[3]?.changePercent).toBeUndefined()
  })

  it('are left out where the index begins later than the span', async () => {
    const sinceSeconds = 1_700_000_000 + 8 * 24 * hour - 2 * hour
    const late: IndexReader = { use: (work) => index.use(({ store }) => work({ store, sinceSeconds })) }
    const { windows } = await readTokenWindows(late, market, { windowSeconds })
    expect(windows.map(({ swaps }) => swaps)).toEqual([2, 3, undefined, undefined, undefined])
  })
})
