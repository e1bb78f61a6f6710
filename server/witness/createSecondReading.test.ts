import { type Address, Failure, type Hex, noDepth } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Chain, ChainLog } from '../chain/chain.ts'
import { insertBlocks } from '../store/blocks.ts'
import { setKeptSince } from '../store/keptSince.ts'
import { listPoolChecks } from '../store/poolChecks.ts'
import { insertPoolEvents, type LiquidityChange } from '../store/poolEvents.ts'
import { emptyPoolState } from '../store/poolState.ts'
import { type Pool, upsertPools } from '../store/pools.ts'
import { setCursor } from '../store/syncCursor.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createSecondReading } from './createSecondReading.ts'
import { createReceiptTraits } from './proof/receiptTraits.ts'

const stores = createTempStores()
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`
const factory = '0x00000000000000000000000000000000000000fa' as Address
const pool = '0x00000000000000000000000000000000000000b0' as Address
const blockAt = (number: number) => ({ number, hash: word(number), timestampSeconds: 1_700_000_000 + number })

/** As nodes say it that read the logs of named contracts only. */
const wantsThemNamed = new Failure('rpc-refused', 'Please specify an address', {
  retryable: true,
  detail: { refusal: 'address-required' },
})

const poolRow: Pool = {
  ...emptyPoolState,
  ...noDepth,
  address: pool,
  token0: word(1).slice(0, 42) as Address,
  token1: word(2).slice(0, 42) as Address,
  fee: 500,
  tickSpacing: 10,
  createdBlock: 0,
  createdAtSeconds: 1_700_000_000,
  firstSwapAtSeconds: undefined,
  lastSwapAtSeconds: undefined,
  reach: undefined,
}

const collectOf = (blockNumber: number): LiquidityChange => ({
  kind: 'collect',
  pool,
  blockNumber,
  logIndex: 0,
  txHash: word(900 + blockNumber),
  timestampSeconds: 1_700_000_000 + blockNumber,
  owner: factory,
  tickLower: -60,
  tickUpper: 60,
  amount: undefined,
  amount0: 1n,
  amount1: 2n,
  sender: undefined,
})

/** How many seconds too early a node dates its blocks; `stated`: the same of its logs, which say nothing when it is absent. */
type NodeClock = { earlySeconds: number; readonly stated?: { readonly earlySeconds: number } }
/** `refuses`: what the node says to more than so many blocks. */
type Ways = {
  readonly newest?: number
  readonly wantsAddress?: boolean
  readonly forgets?: boolean
  readonly clock?: NodeClock
  readonly refuses?: { readonly over: number; readonly by: Failure }
  /** Further nodes, with the same chain. */
  readonly others?: readonly Ways[]
}

const secondsOf = (block: number, clock: NodeClock | undefined) => 1_700_000_000 + block - (clock?.earlySeconds ?? 0)
const blockOf = (number: number, clock: NodeClock | undefined) => ({
  number: `0x${number.toString(16)}`,
  hash: word(number),
  parentHash: word(number - 1),
  timestamp: `0x${secondsOf(number, clock).toString(16)}`,
})

/**
 * A node whose chain has a collect in each of these blocks, and nothing else.
 * @param leavesOut whether its logs lack them all @param forgets whether its receipts do
 */
function nodeWith(
  blocks: readonly number[],
  leavesOut: () => boolean,
  { wantsAddress = false, forgets = false, clock, refuses }: Ways,
) {
  const logOf = (block: number) => ({
    ...(clock?.stated ? { blockTimestamp: `0x${(1_700_000_000 + block - clock.stated.earlySeconds).toString(16)}` } : {}),
    address: pool,
    topics: [],
    data: '0x',
    blockNumber: `0x${block.toString(16)}`,
    blockHash: word(block),
    logIndex: '0x0',
    transactionHash: word(900 + block),
  })
  const node: Partial<Chain> = {
    readHeader: async (number) => ({
      ...{ number, hash: word(number), parentHash: word(number - 1) },
      timestampSeconds: secondsOf(number, clock),
    }),
    forward: async (method, params) => {
      const [first] = params as [never]
      const has = blocks.includes(Number(first))
      const transactionHash = word(900 + Number(first))
      if (method === 'eth_getBlockByNumber')
        return { ...blockOf(Number(first), clock), transactions: has ? [transactionHash] : [] }
      if (method === 'eth_getBlockReceipts') return has && !forgets ? [{ transactionHash, logs: [logOf(Number(first))] }] : []
      const { fromBlock, toBlock, address } = first as { fromBlock: Hex; toBlock: Hex; address?: readonly Address[] }
      if (refuses && Number(toBlock) - Number(fromBlock) >= refuses.over) throw refuses.by
      if (wantsAddress && !address?.includes(factory)) throw wantsThemNamed
      if (address && !address.includes(pool)) return []
      if (leavesOut()) return []
      return blocks.filter((block) => block >= Number(fromBlock) && block <= Number(toBlock)).map(logOf)
    },
  }
  return node as Chain
}

/** An index up to block `newest` (10) without any event, and its second reading. */
async function open(blocks: readonly number[], mayRepair: (block: number) => boolean, leavesOut = () => false, ways: Ways = {}) {
  const { newest = 10 } = ways
  const store = await stores.openNew('sqlite')
  await store.write(async (tx) => {
    if (ways.wantsAddress) await upsertPools(tx, [poolRow])
    await insertBlocks(tx, [blockAt(newest)])
    await setCursor(tx, { identity: 'some chain', block: blockAt(newest) })
  })
  let nowMs = 1_700_000_100_000
  const reading = createSecondReading({
    nodes: [ways, ...(ways.others ?? [])].map((each) => nodeWith(blocks, leavesOut, each)),
    receipts: createReceiptTraits(),
    store,
    factory,
    startBlock: 1,
    topics: [],
    wants: () => true,
    decode: ({ blockNumber, timestampSeconds }: ChainLog) => ({ ...collectOf(blockNumber), timestampSeconds }),
    decodeCreation: () => undefined,
    nowMs: () => nowMs,
    mayRepair,
  })
  const index = { end: newest, createdBlockOf: () => 1 }
  const look = () => {
    nowMs += 61_000
    return reading.step(index)
  }
  await look()
  return { store, reading, look }
}

const wrong = {
  block: 7,
  liars: [],
  backing: { isProven: false, isLoss: false, agreeing: 1, voices: 1, claim: expect.stringContaining('collect') },
}

it('a block that is wrong and may be read again is found', async () => {
  const { reading, look } = await open([7], () => true)
  expect(await look()).toEqual(wrong)
  expect(reading.waiting()).toBe(undefined)
})

it('a block that is wrong is found through a node that reads the logs of named contracts only', async () => {
  const { look } = await open(
    [7],
    () => true,
    () => false,
    { wantsAddress: true },
  )
  expect(await look()).toEqual(wrong)
})

const refusing = (detail: Record<string, unknown>) => new Failure('rpc-refused', 'no', { detail, retryable: true })

it.each([
  ['does not read a range so wide', refusing({ code: -32_000, refusal: 'range-too-wide' })],
  ['has too many results', refusing({ code: -32_005, refusal: 'too-many-results' })],
  ['has an answer that is too long', refusing({ code: -32_005, bytes: 10_485_760 })],
])('a block that is wrong is found through a node that %s', async (_name, by) => {
  const { look } = await open([7], () => true, undefined, { newest: 400, refuses: { over: 100, by } })
  // Of 400 blocks half, a quarter, and then few enough.
  const found = [await look(), await look(), await look(), await look()]
  expect(found.find((each) => each !== undefined)).toMatchObject(wrong)
})

it('beside a node that reads few blocks at a time, what nothing decides about is a doubt once all were asked', async () => {
  const by = refusing({ refusal: 'range-too-wide' })
  const ways: Ways = { newest: 40_000, forgets: true, refuses: { over: 100, by }, others: [{ forgets: true }] }
  const { reading, look } = await open([25_000], () => true, undefined, ways)
  for (let looks = 0; looks < 30; looks += 1) await look()
  expect(reading.waiting()).toEqual({ block: 25_000, isUndecided: true })
})

it('what is no longer kept is not missing, nor waits any more', async () => {
  const { store, reading, look } = await open([4, 7], (block) => block > 4)
  reading.leave(4)
  expect(reading.waiting()?.block).toBe(4)
  await store.write(async (tx) => {
    await insertPoolEvents(tx, [collectOf(7)], new Map())
    await setKeptSince(tx, 'swaps', 1_700_000_008)
  })
  for (let i = 0; i < 4; i += 1) expect(await look()).toBe(undefined)
  expect(reading.waiting()).toBe(undefined)
})

it('a wrong block that waits for its repair stays known, and hides no other one', async () => {
  const { reading, look } = await open([4, 7], (block) => block === 7)
  expect(await look()).toEqual(wrong)
  reading.leave(7)
  expect(reading.waiting()).toEqual({ block: 4, isUndecided: false })
})

it('is judged again when it may be repaired, and found', async () => {
  let isTime = false
  const { reading, look } = await open([7], () => isTime)
  expect([await look(), await look(), reading.waiting()?.block]).toEqual([undefined, undefined, 7])
  isTime = true
  expect(await look()).toEqual(wrong)
})

it('is forgotten when it is right by then, or the index ends below it', async () => {
  let isTime = false
  const { store, reading, look } = await open([7], () => isTime)
  await look()
  reading.leave(9)
  reading.rolledBack(8)
  expect(reading.waiting()?.block).toBe(7)
  await store.write((tx) => insertPoolEvents(tx, [collectOf(7)], new Map()))
  isTime = true
  expect([await look(), reading.waiting()]).toEqual([undefined, undefined])
})

it('is read again after a restart: up to before it everything is kept as read', async () => {
  const { store, look } = await open([7], () => false)
  for (let i = 0; i < 4; i += 1) await look()
  expect(await listPoolChecks(store.read)).toMatchObject([{ pool: factory, blockNumber: 6 }])
})

it.each([
  { minutes: 1, found: wrong },
  { minutes: 2, found: wrong },
  { minutes: 4, found: undefined },
])('what every node left out of $minutes readings of it, a minute apart, is found: $found.block', async ({ minutes, found }) => {
  let isLying = true
  const { look } = await open(
    [7],
    () => true,
    () => isLying,
  )
  for (let i = 0; i < minutes; i += 1) expect(await look()).toBe(undefined)
  isLying = false
  expect(await look()).toEqual(found)
})

it('what a node has more than the index, without receipts that show it, is a doubt once every node was asked', async () => {
  const { reading, look } = await open(
    [7],
    () => true,
    () => false,
    { forgets: true },
  )
  expect([await look(), reading.waiting()]).toEqual([undefined, undefined])
  expect([await look(), reading.waiting()]).toEqual([undefined, { block: 7, isUndecided: true }])
})

it('a node that has forgotten logs and receipts alike says nothing about what the index has', async () => {
  const { store, reading, look } = await open(
    [7],
    () => true,
    () => true,
    { forgets: true },
  )
  await store.write((tx) => insertPoolEvents(tx, [collectOf(7)], new Map()))
  for (let i = 0; i < 4; i += 1) expect(await look()).toBe(undefined)
  expect(reading.waiting()).toBe(undefined)
})

it('is found four minutes after it was left out of a long history, when the node left it out a minute after, too', async () => {
  let atMs = 0
  const { look } = await open(
    [7],
    () => true,
    () => atMs < 150_000,
    { newest: 1_700 },
  )
  const found: unknown[] = []
  for (; atMs < 600_000; atMs += 61_000) found.push(await look())
  expect(found.filter((each) => each !== undefined)[0]).toMatchObject(wrong)
})

/** The index's first block: below it there is nothing that it could be taken back to. */
const first = { number: 1, hash: word(1), timestampSeconds: 1_700_000_001 }

/** An index that has a collect in block 7, two seconds early where `isWrong`, and whose node dates blocks as it is told. */
async function openTimed(isWrong: boolean, clock: NodeClock) {
  const opened = await open(
    [7],
    () => true,
    () => false,
    { clock },
  )
  const timestampSeconds = 1_700_000_007 - (isWrong ? 2 : 0)
  await opened.store.write((tx) => insertPoolEvents(tx, [{ ...collectOf(7), timestampSeconds }], new Map()))
  await opened.store.write((tx) => insertBlocks(tx, [first, { number: 7, hash: word(7), timestampSeconds }]))
  return opened
}

describe('an event whose time is wrong in the index', () => {
  it.each([
    ['its logs state the true time', { earlySeconds: 0, stated: { earlySeconds: 0 } }],
    ['its logs state no time', { earlySeconds: 0 }],
    ['its logs state the wrong time, too', { earlySeconds: 0, stated: { earlySeconds: 5 } }],
    ['its logs state the wrong time that the index has', { earlySeconds: 0, stated: { earlySeconds: 2 } }],
  ])('is found when the node says so for a minute, where %s', async (_name, clock) => {
    const { reading, look } = await openTimed(true, clock)
    expect([await look(), reading.waiting()?.block]).toEqual([undefined, 7])
    expect(await look()).toMatchObject({ block: 7, liars: [] })
  })

  it('is none where the node dates blocks wrongly for a moment', async () => {
    const clock: NodeClock = { earlySeconds: 2 }
    const { reading, look } = await openTimed(false, clock)
    expect([await look(), reading.waiting()?.block]).toEqual([undefined, 7])
    clock.earlySeconds = 0
    expect([await look(), reading.waiting()]).toEqual([undefined, undefined])
  })

  it('is none where only its logs are dated wrongly', async () => {
    const { reading, look } = await openTimed(false, { earlySeconds: 0, stated: { earlySeconds: 5 } })
    expect([await look(), await look(), reading.waiting()]).toEqual([undefined, undefined, undefined])
  })
})

it('times that only logs have stated are wrong from where the span begins', async () => {
  const { store, reading, look } = await open([6, 7], () => true, undefined, {
    clock: { earlySeconds: 0, stated: { earlySeconds: 2 } },
  })
  const events = [6, 7].map((block) => ({ ...collectOf(block), timestampSeconds: 1_700_000_000 + block - 2 }))
  await store.write((tx) => insertPoolEvents(tx, events, new Map()))
  await store.write((tx) => insertBlocks(tx, [first]))
  expect([await look(), reading.waiting()?.block]).toEqual([undefined, expect.any(Number)])
  expect(await look()).toMatchObject({ block: 1, liars: [] })
})

it('a block without events whose time is wrong in the index is found, with those below it', async () => {
  const { store, reading, look } = await open([], () => true)
  const refs = [8, 9, 10].map((number) => ({ number, hash: word(number), timestampSeconds: 1_700_000_000 + number - 2 }))
  await store.write((tx) => insertBlocks(tx, [first, ...refs]))
  expect([await look(), reading.waiting()?.block]).toEqual([undefined, 8])
  expect(await look()).toMatchObject({ block: 8, liars: [] })
})

it('is of another node each time, however many looks lie between two readings', async () => {
  const asked: number[] = []
  const nodes = [0, 1, 2].map((place) => {
    const node = nodeWith([], () => false, {})
    const forward: Chain['forward'] = (method, params) => {
      if (method === 'eth_getLogs') asked.push(place)
      return node.forward(method, params)
    }
    return { ...node, forward }
  })
  const store = await stores.openNew('sqlite')
  await store.write(async (tx) => {
    await insertBlocks(tx, [blockAt(10)])
    await setCursor(tx, { identity: 'some chain', block: blockAt(10) })
  })
  let nowMs = 1_700_000_100_000
  const reading = createSecondReading({
    ...{ nodes, receipts: createReceiptTraits(), store, factory, startBlock: 1, topics: [], wants: () => true },
    decode: () => undefined,
    decodeCreation: () => undefined,
    nowMs: () => nowMs,
    mayRepair: () => true,
  })
  for (let look = 0; look < 60; look += 1) {
    nowMs += 10_000
    await reading.step({ end: 10, createdBlockOf: () => 1 })
  }
  expect(asked.slice(0, 2)).toEqual([1, 2])
})

it('what a node had more is no doubt any more when it takes it back, though no receipts have decided', async () => {
  let isLying = true
  const { reading, look } = await open(
    [4, 7],
    () => true,
    () => !isLying,
    { forgets: true },
  )
  for (let i = 0; i < 3; i += 1) await look()
  expect(reading.waiting()).toEqual({ block: 4, isUndecided: true })
  isLying = false
  for (let i = 0; i < 5; i += 1) await look()
  expect(reading.waiting()).toBe(undefined)
})
