import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it, vi } from 'vitest'
import type { RpcNode } from '../chain/rpcNode.ts'
import { createNodeChain } from '../chain/viemChain.ts'
import type { Follower } from '../indexer/followChain.ts'
import { insertBlocks } from '../store/blocks.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { multicall3 } from '../testing/fabricated/publicNode.ts'
import { follow, untilSynced } from '../testing/fakeExchange.ts'
import { witnessDefaults } from '../testing/following.ts'
import { createModelChain, type ModelBlock, type ModelChain } from '../testing/simulation/modelChain.ts'
import { usdc } from '../testing/simulation/modelMarket.ts'
import { answerTruly } from '../testing/simulation/modelNode.ts'
import { createRandom } from '../testing/simulation/random.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createBranchWatch } from './createBranchWatch.ts'
import { createWitness } from './createWitness.ts'

const stores = createTempStores()
const blockSeconds = 2

/** A chain that grows, and a node that may be on a branch of its own, which grows with it. */
function createBranching(blocks = 40) {
  const chain = createModelChain({
    ...{ random: createRandom('branches'), chainId: 31_337, startSeconds: 1_790_000_000, activity: 2, quiet: false },
  })
  let branch: ModelBlock | undefined
  const nextSeconds = () => chain.head().timestampSeconds + blockSeconds
  const grow = () => {
    branch = branch && chain.extend(branch, nextSeconds())
    chain.mine(nextSeconds())
  }
  for (let i = 0; i < blocks; i += 1) grow()
  const at = (tip: () => ModelBlock): RpcNode => ({
    request: async (method, params) => answerTruly(chain, tip(), method, params),
  })
  const off = at(() => branch ?? chain.head())
  const leave = (depth = 1) => {
    branch = chain.forge(depth, 0)
  }
  /** As `grow`, and the newest blocks of the node off are always others. */
  const growOff = (depth: number) => {
    grow()
    leave(depth)
  }
  /** The branch of the node off grows by so many more. */
  const lead = (blocks: number) => {
    for (let i = 0; i < blocks; i += 1) branch = branch && chain.extend(branch, branch.timestampSeconds)
  }
  return { chain, grow, growOff, leave, lead, off, honest: at(chain.head) }
}

async function followNodes(chain: ModelChain, nodes: readonly RpcNode[]) {
  const store = await stores.openNew('sqlite')
  const ours = createNodeChain(nodes)
  let nowMs = (chain.head().timestampSeconds + 1) * 1_000
  const witness = createWitness({
    ...witnessDefaults,
    nodes: nodes.map((node) => createNodeChain([node])),
    store,
    factory: chain.factory as Address,
    multicall: multicall3 as Address,
    log: { info: () => undefined, warn: () => undefined },
    forward: ours.forward,
    distrust: ours.distrust,
    nowMs: () => (nowMs += 500),
  })
  const scope = { factory: chain.factory as Address, spanMax: 100, stables: [usdc.address as Address], mayRestart: false }
  /** Whether the index was ever off the chain: the watch may be faster than who polls. */
  let wasOff = false
  const onChange = () => {
    wasOff ||= !chain.isCanonical(follower.status().cursor?.hash ?? '')
  }
  const follower: Follower = follow(ours, store, { ...scope, confirmations: 8, witness, onChange })
  await untilSynced(ours, follower)
  wasOff = false
  return { store, follower, witness, wasOff: () => wasOff }
}

const often = { interval: 20, timeout: 20_000 }

it.each([0, 15])(
  'the first of three nodes leaves the chain and is %i blocks ahead of it: the index follows the others',
  async (blocks) => {
    const { chain, grow, leave, lead, off, honest } = createBranching()
    const { store, follower, witness, wasOff } = await followNodes(chain, [off, honest, honest])
    leave()
    lead(blocks)
    const isOnChain = () => {
      grow()
      return chain.isCanonical(follower.status().cursor?.hash ?? '')
    }
    await expect.poll(() => isOnChain() && wasOff(), often).toBe(true)
    await expect.poll(() => follower.status().cursor?.hash, often).toBe(chain.head().hash)
    await follower.stop()
    await witness.stop()
    const scratch = await followNodes(chain, [honest])
    await scratch.follower.stop()
    expect(await dumpIndex(store)).toEqual(await dumpIndex(scratch.store))
  },
)

it('the newest blocks of the first of three nodes are always others: the index follows the others', async () => {
  const { chain, grow, growOff, off, honest } = createBranching()
  const { follower, witness, wasOff } = await followNodes(chain, [off, honest, honest])
  const isOnChain = () => chain.isCanonical(follower.status().cursor?.hash ?? '')
  growOff(8)
  await expect.poll(wasOff, often).toBe(true)
  await expect
    .poll(() => {
      growOff(8)
      return isOnChain()
    }, often)
    .toBe(true)
  // The one that is off comes last from now on.
  for (let i = 0; i < 20; i += 1) {
    growOff(8)
    await expect.poll(() => follower.status().cursor?.hash, often).toBe(chain.head().hash)
  }
  grow()
  await follower.stop()
  await witness.stop()
})

it('one of two does: nobody knows which, and the index is not known to be right until they agree', async () => {
  const { chain, grow, leave, off, honest } = createBranching()
  const { follower, witness } = await followNodes(chain, [honest, off])
  leave()
  const unsure = () => {
    grow()
    return witness.status().unsure
  }
  await expect.poll(unsure, often).toMatch(/^The nodes have different blocks \d+ without a majority: check RPC_URL$/)
  expect(chain.isCanonical(follower.status().cursor?.hash ?? '')).toBe(true)
  await follower.stop()
  await witness.stop()
})

it('the first of three nodes is on a branch deeper than any reorg: the others are followed on', async () => {
  const { chain, grow, leave, off, honest } = createBranching(120)
  const { follower, witness } = await followNodes(chain, [off, honest, honest])
  leave(100)
  grow()
  await expect.poll(() => follower.status().cursor?.hash, often).toBe(chain.head().hash)
  await follower.stop()
  await witness.stop()
})

it.each([
  ['another chain', 8_453],
  ['a chain that began otherwise', 31_337],
])('the URL of the first of two nodes leads to %s: the other one is followed on', async (_name, chainId) => {
  const { chain, grow, honest } = createBranching()
  const elsewhere = createModelChain({
    ...{ random: createRandom('elsewhere'), chainId, startSeconds: 1_789_000_000, activity: 2, quiet: false },
  })
  for (let i = 0; i < 90; i += 1) elsewhere.mine(elsewhere.head().timestampSeconds + blockSeconds)
  let isElsewhere = false
  const moved: RpcNode = {
    request: async (method, params) =>
      isElsewhere ? answerTruly(elsewhere, elsewhere.head(), method, params) : honest.request(method, params),
  }
  const { follower, witness } = await followNodes(chain, [moved, honest])
  isElsewhere = true
  const isAtHead = () => {
    const isThere = follower.status().cursor?.hash === chain.head().hash
    if (isThere) grow()
    return isThere
  }
  for (let i = 0; i < 20; i += 1) await expect.poll(isAtHead, often).toBe(true)
  await follower.stop()
  await witness.stop()
})

it('a node that has another block every second time comes last at the third', async () => {
  const store = await stores.openNew('sqlite')
  const ours = { number: 97, hash: '0xa', timestampSeconds: 1_790_000_000 } as const
  await store.write((tx) => insertBlocks(tx, [ours]))
  let isOff = false
  const toNode = (hashNow: () => `0x${string}`) => {
    const header = async (number = 100) => ({ ...ours, number, hash: hashNow(), parentHash: '0x0' }) as const
    return { readHead: () => header(), readHeader: header }
  }
  const off = toNode(() => (isOff ? '0xb' : '0xa'))
  const honest = toNode(() => '0xa')
  let nowMs = 0
  const distrusted: (number | undefined)[] = []
  const watch = createBranchWatch({
    ...{ nodes: [off, honest, honest], store, nowMs: () => nowMs, log: { warn: () => undefined } },
    distrust: (place) => distrusted.push(place),
  })
  const counts: number[] = []
  for (let i = 0; i < 6; i += 1) {
    isOff = i % 2 === 0
    nowMs += 10_000
    watch.look(100)
    await watch.stop()
    counts.push(distrusted.length)
  }
  expect(counts).toEqual([0, 0, 0, 0, 1, 1])
  expect(distrusted).toEqual([0])
})

it('an index that has stopped is compared up to its end once the chain has gone on', async () => {
  const store = await stores.openNew('sqlite')
  const toBlock = (number: number) => ({ number, hash: '0xa', timestampSeconds: 1_790_000_000 }) as const
  await store.write((tx) => insertBlocks(tx, [toBlock(97), toBlock(98)]))
  const header = async (number = 101) => ({ ...toBlock(number), hash: number === 98 ? '0xb' : '0xa', parentHash: '0x0' }) as const
  const node = { readHead: () => header(), readHeader: header }
  let nowMs = 0
  const watch = createBranchWatch({ nodes: [node, node, node], store, nowMs: () => nowMs, log: { warn: () => undefined } })
  for (let i = 0; i < 3; i += 1) {
    nowMs += 10_000
    watch.look(98)
    await watch.stop()
  }
  expect(watch.doubt()).toContain('Most nodes have another block 98 than the index')
})

it('a node that has gone far ahead little by little comes last at once', async () => {
  const store = await stores.openNew('sqlite')
  const toNode = (number: number) => {
    const header = { number, hash: '0xa', parentHash: '0x0', timestampSeconds: 1_790_000_000 } as const
    return { readHead: async () => header, readHeader: async () => header }
  }
  const distrusted: number[] = []
  const watch = createBranchWatch({
    ...{ nodes: [toNode(100), toNode(100), toNode(165)], store, nowMs: () => 1_790_000_001_000 },
    ...{ log: { warn: () => undefined }, distrust: (place: number) => distrusted.push(place) },
  })
  watch.look(165)
  await watch.stop()
  expect(distrusted).toEqual([2])
})

it('an index whose newest block is always another one than that of every node is not read on from who tells it so', async () => {
  const store = await stores.openNew('sqlite')
  const toBlock = (number: number, hash: Hex) => ({ number, hash, timestampSeconds: 1_790_000_000 + number }) as const
  await store.write((tx) => insertBlocks(tx, [toBlock(97, '0xa'), toBlock(100, '0xf')]))
  const header = async (number = 100) => ({ ...toBlock(number, '0xa'), parentHash: '0x0' }) as const
  const node = { readHead: () => header(), readHeader: header }
  const distrust = vi.fn()
  let nowMs = 0
  const watch = createBranchWatch({
    ...{ nodes: [node, node, node], store, nowMs: () => nowMs, log: { warn: () => undefined } },
    readHeader: async (number) => ({ ...(await header(number)), hash: '0xf', distrust }),
  })
  const counts: number[] = []
  for (let i = 0; i < 5; i += 1) {
    nowMs += 10_000
    watch.look(100)
    await watch.stop()
    counts.push(distrust.mock.calls.length)
  }
  expect(counts).toEqual([0, 0, 0, 0, 1])
})

describe('an index on a branch that every node denies', () => {
  const look = async (toldToIndex: Hex | undefined) => {
    const store = await stores.openNew('sqlite')
    await store.write((tx) => insertBlocks(tx, [{ number: 97, hash: '0xa', timestampSeconds: 1_790_000_000 }]))
    const toHeader = (number: number, hash: Hex) =>
      ({ number, hash, parentHash: '0x0', timestampSeconds: 1_790_000_000 }) as const
    const header = async (number = 100) => toHeader(number, '0xb')
    const node = { readHead: () => header(), readHeader: header }
    let nowMs = 0
    const [distrust, distrustFirst, putLast] = [vi.fn(), vi.fn(), vi.fn()]
    const watch = createBranchWatch({
      ...{ nodes: [node, node, node], store, nowMs: () => nowMs, log: { warn: () => undefined }, distrust, putLast },
      readHeader: async (number) => toldToIndex && { ...toHeader(number, toldToIndex), distrust: distrustFirst },
    })
    const counts: number[] = []
    for (let i = 0; i < 3; i += 1) {
      nowMs += 10_000
      watch.look(100)
      await watch.stop()
      counts.push(distrustFirst.mock.calls.length + putLast.mock.calls.length)
    }
    expect(distrust).not.toHaveBeenCalled()
    expect(watch.doubt()).toContain('Most nodes have another block 97 than the index')
    return counts
  }

  it('is not read on from a node that still tells the index of it', async () => {
    expect(await look('0xa')).toEqual([0, 0, 1])
  })

  it('nor from one that denies the block to the index', async () => {
    expect(await look(undefined)).toEqual([0, 0, 1])
  })

  it('puts no node last that tells the index of the other one', async () => {
    expect(await look('0xb')).toEqual([0, 0, 0])
  })
})

it.each<[string, readonly (readonly [number, number])[], readonly number[]]>([
  [
    'two blocks and 20 s',
    [
      [98, -20],
      [100, 0],
      [100, 0],
    ],
    [0],
  ],
  [
    'a block, however long',
    [
      [99, -60],
      [100, 0],
      [100, 0],
    ],
    [],
  ],
  [
    'many blocks that take less time',
    [
      [90, -19],
      [100, 0],
      [100, 0],
    ],
    [],
  ],
  [
    'two blocks of one other node alone',
    [
      [98, -20],
      [98, -20],
      [100, 0],
    ],
    [],
  ],
  [
    'two blocks of two',
    [
      [98, -20],
      [100, 0],
    ],
    [0],
  ],
])('a node that is behind most others by %s comes last, or does not', async (_what, heads, wanted) => {
  const store = await stores.openNew('sqlite')
  const toNode = ([number, seconds]: readonly [number, number]) => {
    const header = { number, hash: '0xa', parentHash: '0x0', timestampSeconds: 1_790_000_000 + seconds } as const
    return { readHead: async () => header, readHeader: async () => header }
  }
  const last: number[] = []
  const watch = createBranchWatch({
    ...{ nodes: heads.map(toNode), store, nowMs: () => 1_790_000_001_000, log: { warn: () => undefined } },
    putLast: (place = -1) => void last.push(place),
  })
  watch.look(100)
  await watch.stop()
  expect(last).toEqual(wanted)
})

it.each<[string, boolean, readonly number[]]>([
  ['which it does not have', false, [0]],
  ['which it has', true, []],
])('a node that tells of a head above those of most others, %s, comes last or does not', async (_what, has, wanted) => {
  const store = await stores.openNew('sqlite')
  const toNode = (number: number, hasIt = true) => {
    const header = { number, hash: '0xa', parentHash: '0x0', timestampSeconds: 1_790_000_000 } as const
    return { readHead: async () => header, readHeader: async () => (hasIt ? header : undefined) }
  }
  const last: number[] = []
  const watch = createBranchWatch({
    ...{ nodes: [toNode(160, has), toNode(100), toNode(101)], store, nowMs: () => 1_790_000_001_000 },
    ...{ log: { warn: () => undefined }, putLast: (place = -1) => void last.push(place) },
  })
  watch.look(100)
  await watch.stop()
  expect(last).toEqual(wanted)
})

it.each<[string, readonly boolean[], number]>([
  ['five of six times', [true, true, false, true, true, true], 6],
  ['four of six times', [true, true, false, true, true, false, false, true, true], 0],
])('a node whose newest block is another one than that of most %s comes last or does not', async (_what, isOff, wanted) => {
  const store = await stores.openNew('sqlite')
  let look = 0
  const toNode = (hashOf: (number: number) => `0x${string}`) => {
    const header = async (number = 100) =>
      ({ number, hash: hashOf(number), parentHash: '0x0', timestampSeconds: 1_790_000_000 }) as const
    return { readHead: () => header(), readHeader: header }
  }
  const off = toNode((number) => (number === 100 && isOff[look] ? '0xb' : '0xa'))
  const honest = toNode(() => '0xa')
  const seen: [number, number | undefined][] = []
  const watch = createBranchWatch({
    ...{ nodes: [off, honest, honest], store, nowMs: () => (look + 1) * 10_000, log: { warn: () => undefined } },
    distrust: (place) => seen.push([look + 1, place]),
  })
  for (; look < isOff.length; look += 1) {
    watch.look(100)
    await watch.stop()
  }
  expect(seen).toEqual(wanted === 0 ? [] : [[wanted, 0]])
})
