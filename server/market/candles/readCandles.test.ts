import { e18ToNumber } from '@chainboard/core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { FakeChain } from '../../chain/fakeChain.ts'
import { type IndexReader, wholeIndex } from '../../store/indexSwitch.ts'
import { followToHead } from '../../testing/followToHead.ts'
import { beta, betaPool, listed, networkFile, openMarket, sqrtPrices, swap } from '../../testing/market.ts'
import { createTempStores, engines } from '../../testing/tempStores.ts'
import { createIndexHistory } from '../indexHistory.ts'
import { createMarketSource } from '../marketSource.ts'
import { type Snapshot, takeSnapshot } from '../takeSnapshot.ts'
import { toTokenList } from '../tokenList.ts'
import type { TokenMarket } from '../tokenMarket.ts'
import type { CandlePage, CandleReader, CandleRequest } from './candlePage.ts'
import { readCandles } from './readCandles.ts'

const stores = createTempStores()
/** 22:00 UTC. */
const begin = 1_699_999_200
const quarter = sqrtPrices.betaAtQuarter

/** BETA is token1: half of the root is four times the price. */
const trade = (dollars: bigint, root = quarter) => swap(betaPool, root, dollars * 10n ** 6n, -(10n ** 18n), 10n ** 18n)

/** BETA at $0.25; within 30 seconds of the second hour at $1 and at $0.0625; at $0.25 again; a last trade an hour later; then nothing. */
function trades(): FakeChain {
  const chain = new FakeChain({ genesisAtSeconds: begin - 12 })
  openMarket(chain)
  chain.mine([trade(1_000n)], 3_630)
  chain.mine([trade(10n, quarter / 2n)], 10)
  chain.mine([trade(20n, quarter * 2n)], 5)
  chain.mine([trade(5n)], 15)
  chain.mine([trade(7n)], 7_800 - 3_660)
  chain.mine([], 21_660 - 7_800)
  return chain
}

describe.each(engines)("a trader's candles on %s", (engine) => {
  let index: IndexReader
  let snapshot: Snapshot
  let market: TokenMarket
  beforeAll(async () => {
    const store = await stores.openNew(engine)
    await followToHead(trades(), store)
    index = wholeIndex(store)
    snapshot = await takeSnapshot(createMarketSource(index, networkFile), toTokenList(listed, []), begin + 21_660)
    const found = snapshot.byToken.get(beta)
    if (!found) throw new TypeError('BETA is listed')
    market = found
  })
  const read = ({ before, interval }: CandleRequest, other: Partial<CandleReader> = {}) => {
    const reader = { index, snapshot, windowSeconds: 120, isNewestOnly: false, history: createIndexHistory(index), ...other }
    return readCandles(reader, market, { interval, before: before === undefined ? undefined : begin + before })
  }
  /** `3600 0.25 1 0.0625 0.0625 $1030`, those without a trade left out. */
  const traded = ({ candles }: CandlePage) =>
    candles
      .filter(({ volumeUsdE18 }) => volumeUsdE18 > 0n)
      .map(({ atSeconds, open, high, low, close, volumeUsdE18 }) =>
        [atSeconds - begin, ...[open, high, low, close].map(e18ToNumber), `$${e18ToNumber(volumeUsdE18)}`].join(' '),
      )
  const next = ({ nextBefore }: CandlePage) => nextBefore && nextBefore - begin

  it('are made of single swaps for minutes, page after page until the first', async () => {
    const newest = await read({ interval: '1m' })
    expect(traded(newest)).toEqual(['7800 0.25 0.25 0.25 0.25 $7'])
    // A candle a minute, from the start of the page before the newest until now.
    expect(newest.candles).toHaveLength((21_720 - 7_200) / 60)
    expect(next(newest)).toBe(7_200)
    const first = await read({ interval: '1m', before: 7_200 })
    expect(traded(first)).toEqual(['3600 0.25 1 0.0625 0.0625 $1030', '3660 0.25 0.25 0.25 0.25 $5'])
    expect(first.candles.at(-1)).toMatchObject({ atSeconds: begin + 7_140, close: 250_000_000_000_000_000n })
    expect(next(first)).toBeUndefined()
    expect(traded(await read({ interval: '5m', before: 7_200 }))).toEqual(['3600 0.25 1 0.0625 0.25 $1035'])
  })

  it('leave the event loop a turn after every eighth candle, each of which takes medians of many swaps', async () => {
    const turns = vi.spyOn(globalThis, 'setImmediate')
    const { candles } = await read({ interval: '1m' })
    expect([candles.length, turns.mock.calls.length >= 30]).toEqual([242, true])
    turns.mockRestore()
  })

  it('have a fair price beside the last one: the median, which a few seconds do not move', async () => {
    const { candles } = await read({ interval: '1m', before: 7_200 })
    const fair = 250_000_000_000_000_000n
    expect(candles[0]?.fair).toEqual({ open: fair, high: fair, low: fair, close: fair })
    const newest = await read({ interval: '1m' })
    expect(newest.candles.at(-1)?.fair?.close).toBe(market.quote?.usdE18)
    expect((await read({ interval: '1h' })).candles[0]?.fair).toBeUndefined()
  })

  it('are made of hours from an hour on', async () => {
    const hours = await read({ interval: '1h' })
    expect(traded(hours)).toEqual(['3600 0.25 1 0.0625 0.25 $1035', '7200 0.25 0.25 0.25 0.25 $7'])
    expect(hours.candles).toHaveLength(7)
    expect(next(hours)).toBeUndefined()
    expect(traded(await read({ interval: '4h' }))).toEqual(['-7200 0.25 1 0.0625 0.25 $1035', '7200 0.25 0.25 0.25 0.25 $7'])
    expect(traded(await read({ interval: '1d' }))).toEqual(['-79200 0.25 1 0.0625 0.25 $1035', '7200 0.25 0.25 0.25 0.25 $7'])
  })

  it('come in shorter pages where too much was traded, and never with a part of a candle', async () => {
    const short = await read({ interval: '1m', before: 7_200 }, { swapsAtMost: 1 })
    expect(short.candles[0]?.atSeconds).toBe(begin + 3_780)
    expect(traded(short)).toEqual([])
    // Nobody traded in it: the next page ends with the last trade before.
    expect(next(short)).toBe(3_720)
    const none = await read({ interval: '1m', before: 3_720 }, { swapsAtMost: 1 })
    expect(none).toMatchObject({ candles: [], reason: 'Too many swaps for candles this short' })
  })

  it('begin where the index does, and minutes need an index', async () => {
    const late: IndexReader = { use: (work) => index.use(({ store }) => work({ store, sinceSeconds: begin + 7_301 })) }
    const page = await read({ interval: '1m' }, { index: late })
    expect([page.candles[0]?.atSeconds, page.sinceSeconds, page.nextBefore]).toEqual([begin + 7_320, begin + 7_320, undefined])
    expect((await read({ interval: '1m', before: 7_200 }, { index: late })).candles).toEqual([])
    const empty = wholeIndex(await stores.openNew(engine))
    expect((await read({ interval: '1m' }, { index: empty })).reason).toMatch(/^Minutes are made of single swaps/)
    // A remote subgraph has hours.
    expect((await read({ interval: '1h' }, { index: empty })).candles).toHaveLength(7)
  })

  it("are scaled where the token's price is another source's", async () => {
    const quote = market.quote as NonNullable<TokenMarket['quote']>
    const elsewhere: TokenMarket = {
      ...market,
      quote: { ...quote, source: 'subgraph', usdE18: quote.usdE18 * 2n, lastUsdE18: undefined },
    }
    const reader = { index, snapshot, windowSeconds: 120, isNewestOnly: false, history: createIndexHistory(index) }
    expect(traded(await readCandles(reader, elsewhere, { interval: '1h' }))[0]).toBe('3600 0.5 2 0.125 0.5 $1035')
    const minutes = await readCandles(reader, elsewhere, { interval: '1m', before: begin + 7_200 })
    expect(traded(minutes)[0]).toBe('3600 0.5 2 0.125 0.125 $1030')
    // Its fair price is not the median of our pools.
    expect(minutes.candles[0]?.fair).toBeUndefined()
    const offChain: TokenMarket = { ...elsewhere, quote: { ...quote, source: 'cmcListed', route: [] } }
    expect((await readCandles(reader, offChain, { interval: '1h' })).reason).toBe(
      'The price comes from a source that has no candles',
    )
  })
})
