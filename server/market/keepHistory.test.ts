import { Failure } from '@chainboard/core'
import { expect, it } from 'vitest'
import { alpha, listed } from '../testing/market.ts'
import { toBlock, toMarket } from '../testing/priceApi.ts'
import { keepHistory } from './keepHistory.ts'
import type { Chart } from './readChart.ts'
import type { DisplayPool } from './source.ts'
import type { TokenMarket } from './tokenMarket.ts'

const pool = { pool: alpha, baseIsToken0: true } as DisplayPool
const chartOf = (value: bigint, points = 1): Chart => ({
  points: Array.from({ length: points }, () => ({ atSeconds: 1, value })),
  candles: [],
  reason: undefined,
})
const market = (place = 0, usd = 2) => toMarket(listed[place] as (typeof listed)[number], place, { usd }) as TokenMarket
const unpriced = () => toMarket(listed[0] as (typeof listed)[number], 0, {}) as TokenMarket

/** Readers whose charts come when the test says so. */
function open() {
  const reads: { readonly market: TokenMarket; readonly answer: PromiseWithResolvers<Chart> }[] = []
  const state = { atBlock: toBlock(1), swapsRead: 0 }
  const history = keepHistory(
    {
      readChart: (of) => {
        const answer = Promise.withResolvers<Chart>()
        reads.push({ market: of, answer })
        return answer.promise
      },
      readSwaps: async () => {
        state.swapsRead += 1
        return []
      },
      readFeed: async () => {
        state.swapsRead += 1
        return { swaps: [], next: undefined, searchedToSeconds: undefined, sinceSeconds: undefined }
      },
      readWindows: async () => {
        state.swapsRead += 1
        return { windows: [], traders: undefined }
      },
      readCandles: async ({ quote }, { before }) => {
        state.swapsRead += 1
        const candle = { open: 1n, high: 1n, low: 1n, close: quote?.usdE18 ?? 0n, volumeUsdE18: 0n, fair: undefined }
        const none = { nextBefore: undefined, sinceSeconds: undefined, dayAgo: undefined, reason: undefined }
        return { ...none, candles: [{ atSeconds: before ?? 0, ...candle }] }
      },
      readPools: async () => ({ pools: [], byAddress: new Map() }),
    },
    () => state,
  )
  return { history, reads, state }
}

/** What a chart is answered as while the index is at block 1. */
const dated = (chart: Chart) => ({ value: chart, atBlock: toBlock(1) })

/** Lets everything happen that waits for nothing but its turn of the loop. */
const turn = async () => {
  for (let i = 0; i < 3; i += 1) await new Promise((resolve) => setImmediate(resolve))
}

it('reads a chart once for a snapshot, however many ask at once or later', async () => {
  const { history, reads } = open()
  const token = market()
  const asked = Array.from({ length: 100 }, () => history.readChart(token, '1m'))
  await turn()
  expect(reads).toHaveLength(1)
  reads[0]?.answer.resolve(chartOf(5n))
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 100 }, () => dated(chartOf(5n))))
  expect(await history.readChart(token, '1m')).toEqual(dated(chartOf(5n)))
  expect(reads).toHaveLength(1)
})

it('keeps a chart while the sources say again what they said, and reads it again at another block', async () => {
  const { history, reads, state } = open()
  const first = history.readChart(market(), '1m')
  await turn()
  reads[0]?.answer.resolve(chartOf(5n))
  await first
  expect(await history.readChart(market(), '1m')).toEqual(dated(chartOf(5n)))
  expect(reads).toHaveLength(1)
  state.atBlock = toBlock(1, 'bb')
  const second = history.readChart(market(), '1m')
  await turn()
  reads[1]?.answer.resolve(chartOf(6n))
  expect((await second).value).toEqual(chartOf(6n))
})

it('reads it again when the market of the token is another one, and never gives the old one for it', async () => {
  const { history, reads } = open()
  const [before, after] = [market(0, 2), market(0, 3)]
  const first = history.readChart(before, '1d')
  const second = history.readChart(after, '1d')
  await turn()
  reads.find(({ market: of }) => of === after)?.answer.resolve(chartOf(3n))
  expect(await second).toEqual(dated(chartOf(3n)))
  reads.find(({ market: of }) => of === before)?.answer.resolve(chartOf(2n))
  expect(await first).toEqual(dated(chartOf(2n)))
})

it('reads a sparkline once an hour, whatever the price does meanwhile, and keeps every sixth point up to the newest', async () => {
  const { history, reads, state } = open()
  const asked = history.readSparkline(market(0, 2))
  await turn()
  const points = Array.from({ length: 14 }, (_, i) => ({ atSeconds: i, value: BigInt(i) }))
  reads[0]?.answer.resolve({ points, candles: [], reason: undefined })
  expect((await asked).value.map(({ value }) => value)).toEqual([1n, 7n, 13n])
  state.atBlock = toBlock(2)
  expect((await history.readSparkline(market(0, 3))).value).toHaveLength(3)
  expect(reads).toHaveLength(1)
  state.atBlock = { ...toBlock(3), timestampSeconds: toBlock(3).timestampSeconds + 3_600 }
  const later = history.readSparkline(market(0, 3))
  await turn()
  expect(reads).toHaveLength(2)
  reads[1]?.answer.resolve(chartOf(5n))
  expect((await later).value).toEqual([{ atSeconds: 1, value: 5n }])
})

it('reads swaps again when the index is at another block, also at the same height', async () => {
  const { history, state } = open()
  await history.readSwaps(pool, 20)
  await history.readSwaps(pool, 20)
  expect(state.swapsRead).toBe(1)
  state.atBlock = toBlock(1, 'bb')
  await history.readSwaps(pool, 20)
  expect(state.swapsRead).toBe(2)
})

it('begins the first reading of a turn at once, and lets others have a turn before the next', async () => {
  const { history, state } = open()
  const seen: number[] = []
  const turns = Promise.withResolvers<void>()
  // Before all readings that wait for the same turn.
  const look = () => {
    seen.push(state.swapsRead)
    if (seen.length === 5) turns.resolve()
    else setImmediate(look)
  }
  setImmediate(look)
  await Promise.all([...[1, 2, 3, 4].map((limit) => history.readSwaps(pool, limit)), turns.promise])
  expect(seen).toEqual([1, 2, 3, 4, 4])
})

it('does not keep a failure; while the store is away the last chart serves', async () => {
  const { history, reads } = open()
  const away = () => new Failure('store-unavailable', 'away', { retryable: true })
  const ask = async (of: TokenMarket, end: (answer: PromiseWithResolvers<Chart>) => void) => {
    const asked = history.readChart(of, '1w')
    asked.catch(() => undefined)
    await turn()
    end((reads.at(-1) as (typeof reads)[number]).answer)
    return asked
  }
  const token = market()
  await expect(ask(token, ({ reject }) => reject(away()))).rejects.toMatchObject({ code: 'store-unavailable' })
  expect(await ask(token, ({ resolve }) => resolve(chartOf(1n)))).toEqual(dated(chartOf(1n)))
  expect(await ask(market(0, 9), ({ reject }) => reject(away()))).toEqual(dated(chartOf(1n)))
  await expect(ask(market(0, 9), ({ reject }) => reject(new Error('a bug')))).rejects.toThrow('a bug')
})

it('says of which block a chart is: the newest at which it was true, and an old one while the store is away', async () => {
  const { history, reads, state } = open()
  const first = history.readChart(unpriced(), '1d')
  await turn()
  reads[0]?.answer.resolve(chartOf(1n))
  expect((await first).atBlock?.number).toBe(1)
  // A token without a price has no more of a chart two blocks later.
  state.atBlock = toBlock(3)
  expect((await history.readChart(unpriced(), '1d')).atBlock?.number).toBe(3)
  state.atBlock = toBlock(4)
  const away = history.readChart(market(0, 9), '1d')
  await turn()
  reads[1]?.answer.reject(new Failure('store-unavailable', 'away', { retryable: true }))
  expect(await away).toMatchObject({ value: chartOf(1n), atBlock: { number: 3 } })
})

it('reads two at once, lets 512 wait, and tells the next one to come back', async () => {
  const { history, reads } = open()
  const ask = (place: number) => {
    const token = { ...market(), token: { ...market().token, id: `0x${place}` } } as unknown as TokenMarket
    const asked = history.readChart(token, '1m')
    asked.catch(() => undefined)
    return asked
  }
  const asked = Array.from({ length: 514 }, (_, place) => ask(place))
  await turn()
  expect(reads).toHaveLength(2)
  await expect(ask(514)).rejects.toMatchObject({ code: 'busy', detail: { retryAfterSeconds: 1 } })
  for (let done = 0; done < 514; done += 1) {
    while (!reads[done]) await turn()
    reads[done]?.answer.resolve(chartOf(1n))
  }
  await Promise.all(asked)
})

it('keeps 100,000 rows, whatever is asked for', async () => {
  const { history, reads } = open()
  for (let place = 0; place < 30; place += 1) {
    const token = { ...market(), token: { ...market().token, id: `0x${place}` } } as unknown as TokenMarket
    const asked = history.readChart(token, '1m')
    await turn()
    reads.at(-1)?.answer.resolve(chartOf(1n, 9_999))
    await asked
  }
  expect(history.size()).toBe(100_000)
})

it('reads a page of the feed once for a block, and each page by itself', async () => {
  const { history, state } = open()
  const page = { token: alpha, limit: 50 }
  await Promise.all([history.readFeed(page), history.readFeed({ ...page })])
  await history.readFeed(page)
  expect(state.swapsRead).toBe(1)
  const before = { timestampSeconds: 9, blockNumber: 1, logIndex: 2 }
  for (const other of [
    { ...page, before },
    { ...page, limit: 51 },
    { ...page, usdE18Min: 7n },
    { ...page, side: 'buy' as const },
  ])
    await history.readFeed(other)
  expect(state.swapsRead).toBe(5)
  state.atBlock = toBlock(2)
  await history.readFeed(page)
  expect(state.swapsRead).toBe(6)
})

it('reads candles of the past once an hour, and the newest ones with every block', async () => {
  const { history, state } = open()
  const token = market()
  const past = { interval: '1h', before: toBlock(1).timestampSeconds - 7_201 } as const
  await history.readCandles(token, past)
  state.atBlock = toBlock(2)
  await history.readCandles(token, past)
  expect(state.swapsRead).toBe(1)
  await history.readCandles(token, { interval: '1h' })
  state.atBlock = toBlock(3)
  await history.readCandles(token, { interval: '1h' })
  expect(state.swapsRead).toBe(3)
})

it('reads a page of candles once, whichever second within its last candle or beyond the newest is named', async () => {
  const { history, state } = open()
  const { timestampSeconds } = toBlock(1)
  const hour = timestampSeconds - (timestampSeconds % 3_600)
  for (const before of [hour - 7_200, hour - 7_199, hour - 3_601]) await history.readCandles(market(), { interval: '1h', before })
  expect(state.swapsRead).toBe(1)
  for (const before of [undefined, hour + 3_600, hour + 3_601, 4_102_444_800])
    await history.readCandles(market(), { interval: '1h', before })
  expect(state.swapsRead).toBe(2)
})
