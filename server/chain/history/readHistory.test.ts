import { type Address, Failure } from '@chainboard/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { indexedTopics } from '../../indexer/decodeLog.ts'
import { toWantedContracts } from '../../indexer/wantedContracts.ts'
import { type FabricatedChain, fabricateChain } from '../../testing/fabricated/fabricatedChain.ts'
import type { PublicNodeLimits } from '../../testing/fabricated/publicNode.ts'
import { createVirtualNodes, type VirtualNode } from '../../testing/fabricated/virtualNodes.ts'
import type { ChainRange, HistoryRequest } from '../chain.ts'

const options = {
  seed: 'history',
  chainId: 31_337,
  blocks: 60_000,
  pools: 8,
  swaps: 3_000,
  periodSeconds: 2,
  headSeconds: 1_790_000_000,
}
const honest = fabricateChain(options)
/** What small operators begin with. */
const publicNode: PublicNodeLimits = { latencyMs: 200, perSecond: 15, blocksMax: 1_000, tellsTimes: false, wantsAddress: true }
const node = (limits: PublicNodeLimits = {}, chain: FabricatedChain = honest): VirtualNode => ({
  ...publicNode,
  ...limits,
  chain,
})

const contracts = toWantedContracts({ factory: honest.factory as Address, onlyTokens: undefined }, async () => [])

type Asked = Partial<HistoryRequest> & { readonly takeMs?: number }

/** Reads the history in the time of the nodes, each range as it comes. */
async function read(nodes: readonly VirtualNode[], { takeMs = 0, ...request }: Asked = {}) {
  const { chain, clock, calls } = createVirtualNodes(nodes)
  const ranges: ChainRange[] = []
  const atMs: number[] = []
  let [ended, failure]: [boolean, unknown] = [false, undefined]
  const stop = new AbortController()
  const reading = async () => {
    const anchor = honest.under(honest.head(), 0)
    const wanted = {
      from: 1,
      to: 59_900,
      topics: indexedTopics,
      contracts,
      order: 'up',
      spanMax: 10_000,
      anchor,
      signal: stop.signal,
    }
    for await (const range of chain.readHistory({ ...wanted, ...request } as HistoryRequest)) {
      ranges.push(range)
      atMs.push(clock.nowMs())
      if (takeMs > 0) await clock.pause(takeMs, stop.signal)
    }
  }
  const done = reading()
    .catch((error: unknown) => {
      failure = error
    })
    .finally(() => {
      ended = true
    })
  const run = (untilMs = 3_600_000, until = () => ended) => clock.runTo(untilMs, () => ended || until())
  return { ranges, atMs, calls, clock, chain, stop, done, run, failure: () => failure, ended: () => ended }
}

async function readAll(nodes: readonly VirtualNode[], request: Asked = {}) {
  const reading = await read(nodes, request)
  await reading.run()
  expect(reading.failure()).toBeUndefined()
  expect(reading.ended()).toBe(true)
  return { ...reading, seconds: reading.clock.nowMs() / 1_000 }
}

/** What a chain has, by its own blocks. */
function logsOf(from: number, to: number): string[] {
  const found: string[] = []
  for (let number = from; number <= to; number += 1)
    for (const log of honest.under(honest.head(), number)?.logs ?? [])
      found.push(`${number} ${Number(log.logIndex)} ${log.address}`)
  return found
}

const textsOf = (ranges: readonly ChainRange[]) =>
  ranges.flatMap(({ logs }) => logs.map(({ blockNumber, logIndex, address }) => `${blockNumber} ${logIndex} ${address}`))

function expectWhole(ranges: readonly ChainRange[], [from, to] = [1, 59_900]) {
  const edges = ranges.map(({ headers }) => [headers[0]?.number, headers.at(-1)?.number])
  expect(edges[0]?.[0]).toBe(from)
  expect(edges.at(-1)?.[1]).toBe(to)
  for (const [i, [first]] of edges.entries()) if (i > 0) expect(first).toBe((edges[i - 1]?.[1] ?? 0) + 1)
  for (const { headers } of ranges)
    for (const { number, hash } of headers) expect(hash).toBe(honest.under(honest.head(), number)?.hash)
  expect(textsOf(ranges)).toEqual(logsOf(from, to))
}

describe('the history of a chain', () => {
  it('comes whole, in order and with the time of each block, of three nodes as of one', async () => {
    const [one, three] = [await readAll([node()]), await readAll([node(), node(), node()])]
    expectWhole(one.ranges)
    expectWhole(three.ranges)
    const log = three.ranges.flatMap(({ logs }) => logs).at(-1)
    expect(log?.timestampSeconds).toBe(honest.under(honest.head(), log?.blockNumber as number)?.timestampSeconds)
  })

  it('comes from three nodes at least 2.5 times as fast as from one, and 1.7 times with one of them hung', {
    timeout: 300_000,
  }, async () => {
    const long = fabricateChain({ ...options, blocks: 600_000, swaps: 12_000 })
    const secondsOf = async (...nodes: VirtualNode[]) => {
      const reading = await readAll(nodes, { to: 600_000, anchor: long.under(long.head(), 0) })
      expect(reading.ranges.at(-1)?.headers.at(-1)?.hash).toBe(long.head().hash)
      return reading.seconds
    }
    const one = await secondsOf(node({}, long))
    expect(one / (await secondsOf(node({}, long), node({}, long), node({}, long)))).toBeGreaterThan(2.5)
    expect(one / (await secondsOf(node({ hangs: true }, long), node({}, long), node({}, long)))).toBeGreaterThan(1.7)
  })

  it('comes with the newest first when asked so', async () => {
    const known = [...honest.addresses] as Address[]
    const named = { ...contracts, known: async () => known }
    const anchor = honest.under(honest.head(), 59_900)
    const { ranges } = await readAll([node(), node({ blocksMax: 700 })], {
      order: 'down',
      from: 40_000,
      contracts: named,
      anchor,
    })
    expect(ranges[0]?.headers.at(-1)?.number).toBe(59_900)
    expectWhole(ranges.toReversed(), [40_000, 59_900])
  })

  it('ends at once when nothing is to be read, and before it has begun', async () => {
    expect((await readAll([node()], { from: 5, to: 4 })).ranges).toEqual([])
    expect((await readAll([node()], { signal: AbortSignal.abort() })).calls).toEqual([{ sent: 0, underWay: 0, highest: 0 }])
  })
})

describe('nodes that want contracts named', () => {
  it('give the events of a pool that was made in a range which was still under way', async () => {
    // Ranges of 100 blocks from the first one on: pools are made in blocks 1 to 600, and six ranges are under way together.
    const narrow = node({ blocksMax: 100, perSecond: 1_000 })
    const chain = fabricateChain({ ...options, blocks: 2_000, pools: 8, swaps: 1_500 })
    const factory = toWantedContracts({ factory: chain.factory as Address, onlyTokens: undefined }, async () => [])
    const nodes = [narrow, narrow, narrow].map((each) => ({ ...each, chain }))
    const { ranges } = await readAll(nodes, { to: 2_000, contracts: factory, anchor: chain.under(chain.head(), 0) })
    expect(ranges.flatMap(({ logs }) => logs).filter(({ topics }) => topics[0]?.startsWith('0xc42079f9'))).toHaveLength(1_500)
  })
})

describe('a node whose logs cannot be true', () => {
  it('is not asked again for a minute while another one is there', async () => {
    const { ranges, calls, chain, clock } = await readAll([node({ garbles: true }), node()], { to: 5_000 })
    expectWhole(ranges, [1, 5_000])
    const [bad] = calls
    const sent = bad?.sent
    const header = chain.readHeader(7)
    await clock.runTo(clock.nowMs() + 1_000, () => false)
    expect((await header)?.number).toBe(7)
    expect(clock.nowMs()).toBeLessThan(60_000)
    expect(bad?.sent).toBe(sent)
  })
})

describe('one node among three', () => {
  let twoSeconds = 0
  beforeAll(async () => {
    twoSeconds = (await readAll([node(), node()])).seconds
  })

  it.each<[string, VirtualNode]>([
    ['hangs', node({ hangs: true })],
    ['answers 429 to every call', { ...node(), status: 429 }],
    ['answers 500 to every call', { ...node(), status: 500 }],
    ['is 20 times slower', node({ latencyMs: 4_000 })],
    ['is on another chain', node({}, fabricateChain({ ...options, seed: 'elsewhere' }))],
    ['lags 30,000 blocks behind', node({ behind: 30_000 })],
    ['refuses more than 10 blocks', node({ blocksMax: 10 })],
  ])('%s: the history comes whole, and hardly later than from the two others alone', async (_what, bad) => {
    for (const nodes of [
      [bad, node(), node()],
      [node(), node(), bad],
    ]) {
      const { ranges, seconds } = await readAll(nodes)
      expectWhole(ranges)
      expect(seconds).toBeLessThan(twoSeconds * 1.3)
    }
  })

  it('is left alone for as long as it asks', async () => {
    const bad = { ...node(), status: 429, retryAfterSeconds: 120 }
    const { calls, seconds } = await readAll([bad, node(), node()])
    expect(seconds).toBeLessThan(120)
    // Two ranges of three calls, which were under way when it asked.
    expect(calls[0]?.sent).toBe(6)
  })

  it('narrows its ranges midway: it reads narrower ones, and nobody waits', async () => {
    const shrinking = { ...node(), blocksMax: 1_000 }
    const reading = await read([shrinking, node(), node()])
    await reading.run(8_000)
    shrinking.blocksMax = 50
    const before = reading.calls[0]?.sent ?? 0
    await reading.run()
    expectWhole(reading.ranges)
    expect(reading.calls[0]?.sent).toBeGreaterThan(before + 50)
  })
})

describe('nodes that do not get on', () => {
  it('fail the reading when there is no other, with what the node says', async () => {
    const reading = await read([{ ...node(), status: 500 }])
    await reading.run()
    expect(reading.failure()).toMatchObject({ code: 'rpc-unavailable' })
  })

  it('fail it with the one that may be asked again first', async () => {
    const late = { ...node(), status: 429, retryAfterSeconds: 200 }
    const reading = await read([late, { ...late, retryAfterSeconds: 30 }])
    await reading.run()
    expect(reading.failure()).toMatchObject({ code: 'rpc-rate-limited', detail: { retryAfterMs: 30_000 } })
  })

  it('are asked again by the next reading, however long they would have rested', async () => {
    const healing: { -readonly [K in keyof VirtualNode]: VirtualNode[K] } = { ...node(), status: 500 }
    const { chain, clock } = createVirtualNodes([healing])
    const readOne = async () => {
      const request = { from: 1, to: 50, topics: indexedTopics, contracts, order: 'up' as const, spanMax: 100 }
      const ranges = chain.readHistory({ ...request, signal: new AbortController().signal })[Symbol.asyncIterator]()
      const asked = ranges.next().catch((error: unknown) => error)
      let answer: unknown
      void asked.then((value) => {
        answer = value
      })
      await clock.runTo(clock.nowMs() + 10_000, () => answer !== undefined)
      return answer
    }
    for (let i = 0; i < 3; i += 1) expect(await readOne()).toBeInstanceOf(Failure)
    delete healing.status
    expect(await readOne()).toMatchObject({ done: false, value: { headers: [{ number: 1 }, { number: 50 }] } })
  })
})

describe('a chain that changes below what is read', () => {
  it('is given as all nodes have it now, with one range that does not continue the one before', {
    timeout: 300_000,
  }, async () => {
    const chain = fabricateChain(options)
    const before = chain.under(chain.head(), 0)
    const reading = await read([node({}, chain), node({}, chain), node({}, chain)], { anchor: before, spanMax: 200 })
    await reading.run(3_600_000, () => reading.ranges.length >= 20)
    chain.reorg(59_000)
    await reading.run()
    expect(reading.failure()).toBeUndefined()
    const { ranges } = reading
    const breaks = ranges.filter(({ headers }, i) => i > 0 && headers[0]?.parentHash !== ranges[i - 1]?.headers.at(-1)?.hash)
    expect(breaks).toHaveLength(1)
    expect(ranges.at(-1)?.headers.at(-1)?.hash).toBe(chain.under(chain.head(), 59_900)?.hash)
  })
})

describe('blocks that do not continue what the caller has', () => {
  it('are given when no other node has better ones, also where one failed before it was asked about them', async () => {
    const elsewhere = fabricateChain({ ...options, seed: 'elsewhere' })
    const anchor = elsewhere.under(elsewhere.head(), 0)
    const { ranges, seconds } = await readAll([node({ latencyMs: 3_500 }), { ...node(), status: 500 }], { to: 500, anchor })
    expectWhole(ranges, [1, 500])
    expect(seconds).toBeLessThan(60)
  })
})

describe('reading ahead', () => {
  it('continues while ranges are stored, as far as its limit', async () => {
    const fast = node({ latencyMs: 10, perSecond: Number.POSITIVE_INFINITY })
    const reading = await read([fast], { takeMs: 1_000_000, spanMax: 100 })
    await reading.run(900_000, () => false)
    expect(reading.ranges).toHaveLength(1)
    // The range that is being stored, and 64 behind it.
    expect(reading.calls[0]?.highest).toBe(65 * 100)
  })

  it('gives what one node has read already as one range, up to a number of logs', async () => {
    const fast = node({ latencyMs: 10, perSecond: Number.POSITIVE_INFINITY })
    const widthOf = ({ headers }: ChainRange) => (headers.at(-1)?.number ?? 0) - (headers[0]?.number ?? 0) + 1
    const { ranges } = await readAll([fast], { takeMs: 10_000, spanMax: 1_000, joinLogsMax: 160 })
    // Fifty logs in a thousand blocks: each range has them, but for the first ones, which are narrow.
    expect(Math.max(...ranges.map(({ logs }) => logs.length))).toBeLessThanOrEqual(160)
    expect(Math.max(...ranges.map(widthOf))).toBe(3_000)
    const ends = ranges.flatMap(({ headers }) => [headers[0]?.number, headers.at(-1)?.number])
    expect([ends[0], ends.at(-1)]).toEqual([1, 59_900])
    expect(textsOf(ranges)).toEqual(logsOf(1, 59_900))
  })

  it('joins no ranges of two nodes: either may have to be distrusted', async () => {
    const fast = node({ latencyMs: 10, perSecond: Number.POSITIVE_INFINITY })
    const joined = { takeMs: 10_000, spanMax: 1_000, joinLogsMax: 10_000 }
    const [one, { ranges }] = [await readAll([fast], joined), await readAll([fast, fast], joined)]
    expect(one.ranges.length).toBeLessThan(10)
    // Two nodes begin one range each in turn.
    expect(ranges.length).toBeGreaterThan(15)
    expect(textsOf(ranges)).toEqual(logsOf(1, 59_900))
  })

  it('holds twelve thousand logs at most', async () => {
    const dense = fabricateChain({ ...options, blocks: 200, pools: 1, swaps: 400_000 })
    const pools = [...dense.addresses] as Address[]
    const known = toWantedContracts({ factory: dense.factory as Address, onlyTokens: undefined }, async () => pools)
    const nodes = [{ ...node({ perSecond: 1_000, tellsTimes: true, latencyMs: 1 }), chain: dense }]
    const reading = await read(nodes, { from: 3, to: 200, contracts: known, takeMs: 1_000_000, spanMax: 1, anchor: undefined })
    await reading.run(500_000, () => false)
    expect(reading.ranges).toHaveLength(1)
    // Of 2,000 logs a block: the one that is being stored, six that are held, and less than eight that were under way then.
    expect(reading.calls[0]?.highest).toBeGreaterThanOrEqual(3 + 6)
    expect(reading.calls[0]?.highest).toBeLessThan(3 + 6 + 8)
  })

  it('gives blocks one at a time of which a node gives no two together', async () => {
    const dense = fabricateChain({ ...options, blocks: 10, pools: 1, swaps: 45_000 })
    const pools = [...dense.addresses] as Address[]
    const known = toWantedContracts({ factory: dense.factory as Address, onlyTokens: undefined }, async () => pools)
    const nodes = [node({ perSecond: 1_000, tellsTimes: true, logsMax: 6_000 }, dense)]
    const { ranges } = await readAll(nodes, { from: 2, to: 4, contracts: known, anchor: undefined })
    expect(ranges.map(({ headers, logs }) => [headers.map(({ number }) => number), logs.length])).toEqual([
      [[2], 5_000],
      [[3], 5_000],
      [[4], 5_000],
    ])
  })

  it('gives a block of 24,000 logs, though no more than 12,000 are held otherwise', async () => {
    const dense = fabricateChain({ ...options, blocks: 10, pools: 1, swaps: 216_000 })
    const pools = [...dense.addresses] as Address[]
    const known = toWantedContracts({ factory: dense.factory as Address, onlyTokens: undefined }, async () => pools)
    const nodes = [node({ perSecond: 1_000, tellsTimes: true }, dense)]
    const { ranges } = await readAll(nodes, { from: 2, to: 2, contracts: known, anchor: undefined })
    expect(ranges.map(({ logs }) => logs.length)).toEqual([24_000])
  })

  it('ends when it is stopped: no call is sent any more, and none is waited for', async () => {
    const reading = await read([node(), node({ hangs: true })])
    await reading.run(5_000)
    reading.stop.abort()
    await reading.done
    expect(reading.failure()).toBeUndefined()
    const sent = reading.calls.map((each) => each.sent)
    expect(reading.calls.map(({ underWay }) => underWay)).toEqual([0, 0])
    await reading.clock.runTo(100_000)
    expect(reading.calls.map((each) => each.sent)).toEqual(sent)
  })
})
