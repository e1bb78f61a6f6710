import type { Address } from '@chainboard/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Entity, type StandInSubgraph, startStandInSubgraph } from '../../testing/standInSubgraph.ts'
import { createSubgraphClient } from './subgraphClient.ts'
import { createSubgraphHistory } from './subgraphHistory.ts'

/** On a machine with much else to do. */
const patience = { timeout: 15_000 }

const q96 = 2n ** 96n
const pool: Address = `0x${'a1'.repeat(20)}`
const [token0, token1] = [`0x${'10'.repeat(20)}`, `0x${'20'.repeat(20)}`]
const hour = 3_600

const hourAt = (index: number, root: bigint): Entity => ({
  id: `${pool}-${index}`,
  pool,
  periodStartUnix: index * hour,
  sqrtPrice: `${root * q96}`,
  open: '1',
  high: '1',
  low: '1',
  volumeToken0: '1',
  volumeToken1: '1',
  volumeUSD: '0',
  txCount: '1',
})
const swapAt = (seconds: number, logIndex: number, hash: string): Entity[] => [
  {
    id: `0x${hash.repeat(32)}-${logIndex}`,
    transaction: `0x${hash.repeat(32)}`,
    pool,
    timestamp: `${seconds}`,
    sender: pool,
    recipient: pool,
    amount0: '1',
    amount1: '-1',
    sqrtPriceX96: '1',
    amountUSD: logIndex === 3 ? '1.5' : '0',
    logIndex: `${logIndex}`,
  },
]

let standIn: StandInSubgraph
beforeEach(async () => {
  standIn = await startStandInSubgraph()
  standIn.entities = {
    tokens: [token0, token1].map((id) => ({ id, symbol: 'T', name: 'T', decimals: '18' })),
    pools: [{ id: pool, token0, token1 }],
    poolHourDatas: [hourAt(100, 2n), hourAt(110, 3n), hourAt(112, 4n), hourAt(115, 5n)],
    swaps: [...swapAt(50, 3, 'cc'), ...swapAt(50, 2, 'aa'), ...swapAt(50, 1, 'bb'), ...swapAt(40, 9, 'dd')],
    transactions: ['aa', 'bb', 'cc', 'dd'].map((hash) => ({ id: `0x${hash.repeat(32)}`, blockNumber: '7', timestamp: '50' })),
  }
})
afterEach(async () => {
  vi.useRealTimers()
  await standIn.close()
})

const open = (options = {}, timeoutMs = 10_000) =>
  createSubgraphHistory(createSubgraphClient(standIn.url, { timeoutMs }), options)
const hoursFrom = (first: number) => [first, first + 1, first + 2].map((index) => index * hour)
const starts = async (history: ReturnType<typeof open>, first: number) =>
  (await history.listHoursCovering([pool], hoursFrom(first))).get(pool)?.map(({ startSeconds }) => startSeconds / hour)
const outage = { kind: 'status', status: 503 } as const

it('lists the hours of a span, and the last one before it however old, ascending', async () => {
  expect(await starts(open(), 110)).toEqual([100, 110, 112])
  expect(await starts(open(), 200)).toEqual([115])
  expect(await starts(open(), 90)).toEqual([])
  expect(standIn.queries.length).toBe(3)
})

it('lists the newest swaps, those of one second in the order of the chain', async () => {
  const swaps = await open().listNewestSwaps(pool, 2)
  expect(swaps.map(({ logIndex }) => logIndex)).toEqual([3, 2])
  // It says 0 dollars of pools that it does not track.
  expect(swaps.map(({ usdE18 }) => usdE18)).toEqual([1_500_000_000_000_000_000n, undefined])
})

it('is still asked for others when the rows of one pool are of the wrong form', async () => {
  const history = open()
  standIn.trouble = () => ({ kind: 'status', status: 200, body: '{"data":{"s0":[{"id":"x"}],"s1":[]}}' })
  for (let i = 0; i < 5; i += 1) await expect(starts(history, 110 + i)).rejects.toMatchObject({ code: 'upstream-invalid' })
  standIn.trouble = undefined
  expect(await starts(history, 110)).toEqual([100, 110, 112])
})

it('asks nothing when nothing is wanted', async () => {
  expect(await open().listHoursCovering([], [hour])).toEqual(new Map())
  expect(await open().listHoursCovering([pool], [])).toEqual(new Map([[pool, []]]))
  expect(standIn.queries.length).toBe(0)
})

describe('many visitors', () => {
  it('cause one question, and none for half a minute', async () => {
    const history = open()
    await Promise.all(Array.from({ length: 10 }, () => starts(history, 110)))
    await starts(history, 110)
    expect(standIn.queries.length).toBe(1)
  })

  it('cause one question however many swaps each wants', async () => {
    const history = open()
    const lengths = []
    // A visitor may ask for 1 to 100, and one more is read.
    for (let limit = 2; limit <= 101; limit += 1) lengths.push((await history.listNewestSwaps(pool, limit)).length)
    expect(lengths).toEqual([2, 3, ...Array(98).fill(4)])
    expect(standIn.queries.length).toBe(1)
  })

  it('cause another one after that', async () => {
    const history = open({ cacheMs: 1 })
    await starts(history, 110)
    await vi.waitUntil(async () => {
      await starts(history, 110)
      return standIn.queries.length === 2
    }, patience)
  })
})

describe('while the subgraph is out', () => {
  it('serves the last answer', async () => {
    const history = open({ cacheMs: 1 })
    await starts(history, 110)
    standIn.trouble = () => outage
    await vi.waitUntil(async () => {
      expect(await starts(history, 110)).toEqual([100, 110, 112])
      return standIn.queries.length > 1
    }, patience)
  })

  it('fails where there is none, after few calls however many visitors come', async () => {
    standIn.trouble = () => outage
    const history = open()
    const visits = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => starts(history, 110 + i)))
    for (const visit of visits) expect(visit).toMatchObject({ status: 'rejected', reason: { code: 'upstream-unavailable' } })
    // Four at once: the third failure ends the calls, and the others never start.
    const calls = standIn.queries.length
    expect(calls).toBeLessThanOrEqual(6)
    await expect(starts(history, 300)).rejects.toMatchObject({ code: 'upstream-unavailable', retryable: true })
    await expect(history.listNewestSwaps(pool, 5)).rejects.toMatchObject({ code: 'upstream-unavailable' })
    expect(standIn.queries.length).toBe(calls)
  })

  it('does not let visitors wait for it, when it hangs', async () => {
    standIn.trouble = () => ({ kind: 'hang' })
    const history = open({}, 200)
    await Promise.allSettled(Array.from({ length: 4 }, (_, i) => starts(history, 110 + i)))
    const calls = standIn.queries.length
    await expect(starts(history, 300)).rejects.toMatchObject({
      message: 'The subgraph is not responding; the server retries soon',
    })
    expect(standIn.queries.length).toBe(calls)
  })

  it('is asked again after 30 seconds, by one visitor', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    standIn.trouble = () => outage
    const history = open()
    for (let i = 0; i < 3; i += 1) await starts(history, 110 + i).catch(() => undefined)
    standIn.trouble = undefined
    vi.setSystemTime(Date.now() + 29_000)
    await expect(starts(history, 110)).rejects.toThrow()
    vi.setSystemTime(Date.now() + 2_000)
    expect(await starts(history, 110)).toEqual([100, 110, 112])
    expect(await starts(history, 111)).toEqual([110, 112])
  })

  it('is left alone for as long as it says', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    standIn.trouble = () => ({ kind: 'status', status: 429, headers: { 'retry-after': '120' } })
    const history = open()
    for (let i = 0; i < 3; i += 1) await starts(history, 110 + i).catch(() => undefined)
    standIn.trouble = undefined
    vi.setSystemTime(Date.now() + 119_000)
    await expect(starts(history, 110)).rejects.toThrow()
    vi.setSystemTime(Date.now() + 2_000)
    expect(await starts(history, 110)).toEqual([100, 110, 112])
  })
})
