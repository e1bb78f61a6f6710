import type { Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createFakeClock, type FakeClock } from '../testing/fakeClock.ts'
import { pickHead } from './headWatch.ts'
import type { RpcNode } from './rpcNode.ts'
import { createNodeChain } from './viemChain.ts'

const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

/** A node that has so many blocks, and counts how often its head was asked. */
function createNode(head: number) {
  const node = {
    head,
    asked: 0,
    isHanging: false,
    hasFirst: true,
    chainId: 1,
    answersAfter: undefined as Promise<unknown> | undefined,
  }
  const rpc: RpcNode = {
    request: async (method, params) => {
      if (method === 'eth_chainId') return `0x${node.chainId.toString(16)}`
      const [which] = params as [string]
      if (which === 'latest') node.asked += 1
      if (node.isHanging) await new Promise(() => undefined)
      await node.answersAfter
      const number = which === 'latest' ? node.head : Number(which)
      if (number > node.head || (number === 0 && !node.hasFirst)) return null
      return {
        number: `0x${number.toString(16)}`,
        hash: hashOf(number),
        parentHash: hashOf(Math.max(0, number - 1)),
        timestamp: '0x10',
      }
    },
  }
  return { node, rpc }
}

function open(...heads: number[]) {
  const clock = createFakeClock(100_000)
  const nodes = heads.map(createNode)
  const chain = createNodeChain(
    nodes.map(({ rpc }) => rpc),
    { clock },
  )
  return { clock, chain, nodes: nodes.map(({ node }) => node) as [Node, Node, Node] }
}
type Node = ReturnType<typeof createNode>['node']

async function pass(clock: FakeClock, ms: number): Promise<void> {
  const asleep = clock.pause(ms, new AbortController().signal)
  await clock.next(1, clock.nowMs() + ms)
  await asleep
}

describe('the first of two nodes', () => {
  it('that has stopped for 20 s while the other advances is replaced by it', async () => {
    const { chain, clock, nodes } = open(7, 7)
    expect((await chain.readHead()).number).toBe(7)
    nodes[1].head = 9
    await pass(clock, 19_999)
    expect((await chain.readHead()).number).toBe(7)
    // Once at the start.
    expect(nodes[1].asked).toBe(1)
    await pass(clock, 1)
    expect((await chain.readHead()).number).toBe(9)
    // It is the last to be asked from now on, for a minute.
    nodes[1].head = 10
    const askedBefore = nodes[0].asked
    expect((await chain.readHead()).number).toBe(10)
    expect(await chain.readHeader(10)).toMatchObject({ number: 10 })
    expect(nodes[0].asked).toBe(askedBefore)
  })

  it('that comes back behind is left at once', async () => {
    const { chain, clock, nodes } = open(7, 9)
    await chain.readHead()
    await pass(clock, 20_000)
    expect((await chain.readHead()).number).toBe(9)
    await pass(clock, 60_000)
    const askedBefore = nodes[0].asked
    expect((await chain.readHead()).number).toBe(9)
    expect(nodes[0].asked).toBe(askedBefore + 1)
  })

  it('that has stopped, as the other has, is still asked, and the other every 20 s', async () => {
    const { chain, clock, nodes } = open(7, 7)
    for (let second = 0; second < 100; second += 1) {
      await chain.readHead()
      await pass(clock, 1_000)
    }
    expect([nodes[0].asked, nodes[1].asked]).toEqual([100, 5])
  })

  it('whose blocks were taken back, as those of the other were, is believed', async () => {
    const { chain, clock, nodes } = open(9, 9)
    await chain.readHead()
    for (const node of nodes) node.head = 5
    await pass(clock, 5_000)
    expect((await chain.readHead()).number).toBe(5)
    expect((await chain.readHead()).number).toBe(5)
    expect(nodes[1].asked).toBe(2)
  })

  it('is not held up by another that hangs', async () => {
    const { chain, clock, nodes } = open(7, 7)
    await chain.readHead()
    nodes[1].isHanging = true
    await pass(clock, 20_000)
    const head = chain.readHead()
    // Lets it come to where it waits for the other one.
    await new Promise((resolve) => setImmediate(resolve))
    await clock.next(1, clock.nowMs() + 2_000)
    expect((await head).number).toBe(7)
  })
})

it('a node that does not have the first block of the chain comes last for a minute', async () => {
  const { chain, clock, nodes } = open(7, 7, 7)
  nodes[0].hasFirst = false
  expect(await chain.readHeader(0)).toBe(undefined)
  expect(await chain.readHeader(0)).toMatchObject({ number: 0 })
  await pass(clock, 60_000)
  expect(await chain.readHeader(0)).toBe(undefined)
})

describe('a head far ahead of those of the other nodes', () => {
  it('is not followed, and its node is the last to be asked', async () => {
    const { chain, nodes } = open(7, 7, 7)
    await chain.readHead()
    nodes[0].head = 20_000
    expect((await chain.readHead()).number).toBe(7)
    const askedBefore = nodes[0].asked
    nodes[1].head = 8
    expect((await chain.readHead()).number).toBe(8)
    expect(nodes[0].asked).toBe(askedBefore)
  })

  it('nor is one that gets there in small steps', async () => {
    const { chain, clock, nodes } = open(7, 7, 7)
    await chain.readHead()
    const told: number[] = []
    for (let second = 0; second < 4; second += 1) {
      nodes[0].head += 40
      await pass(clock, 1_000)
      told.push((await chain.readHead()).number)
    }
    // 64 at once and 10 a second: after the first step that is 34.
    expect(told).toEqual([47, 7, 7, 7])
  })

  it('nor is the one of a node that has left the chain, while it comes last', async () => {
    const { chain, nodes } = open(7, 7, 7)
    await chain.readHead()
    nodes[0].head = 20
    expect((await chain.readHead()).number).toBe(20)
    chain.distrust?.(0)
    expect((await chain.readHead()).number).toBe(7)
    nodes[1].head = 8
    expect((await chain.readHead()).number).toBe(8)
  })

  it('puts no node last that is a block behind the others when they are compared', async () => {
    const { chain, nodes } = open(7, 8, 8)
    expect((await chain.readHead()).number).toBe(8)
    const askedBefore = nodes[0].asked
    await chain.readHead()
    expect(nodes[0].asked).toBe(askedBefore + 1)
  })

  it('nor is it at the start', async () => {
    const { chain } = open(20_000, 7, 8)
    expect((await chain.readHead()).number).toBe(8)
  })

  it('nor is that of another chain, of however many nodes', async () => {
    const { chain, nodes } = open(7, 20_000, 20_000)
    for (const node of nodes.slice(1)) node.chainId = 2
    await chain.readChainId(1)
    expect((await chain.readHead()).number).toBe(7)
  })

  it('puts no other node last, where one node alone tells of it', async () => {
    const { chain, clock, nodes } = open(7, 7, 7)
    await chain.readHead()
    nodes[2].head = 20
    for (let i = 0; i < 6; i += 1) {
      await pass(clock, 5_000)
      await chain.readHead()
    }
    // Of the first, 7 times, and of the others once at the start and when the first had stood still for 20 s.
    expect(nodes.map(({ asked }) => asked)).toEqual([7, 4, 4])
  })

  it('is held against one that takes three seconds', async () => {
    const { chain, clock, nodes } = open(7, 7, 7)
    await chain.readHead()
    nodes[0].head = 1_000
    nodes[1].answersAfter = clock.pause(3_000, new AbortController().signal)
    const head = chain.readHead()
    await new Promise((resolve) => setImmediate(resolve))
    await clock.next(1, clock.nowMs() + 3_000)
    expect((await head).number).toBe(7)
  })

  it('puts no other node last, where a third one is silent', async () => {
    const { chain, clock, nodes } = open(7, 7, 7)
    await chain.readHead()
    nodes[2].head = 20
    nodes[1].isHanging = true
    for (let i = 0; i < 2; i += 1) {
      await pass(clock, 20_000)
      const head = chain.readHead()
      await new Promise((resolve) => setImmediate(resolve))
      await clock.next(1, clock.nowMs() + 2_000)
      await head
    }
    expect(nodes[0].asked).toBe(3)
  })

  it('is not decided on by one node alone, while the others come last', async () => {
    const { chain, clock, nodes } = open(7, 7, 7)
    await chain.readHead()
    chain.distrust?.(0)
    chain.distrust?.(1)
    nodes[2].head = 3
    await pass(clock, 5_000)
    expect((await chain.readHead()).number).toBe(7)
  })

  const pick = (...heads: [number, number][]) =>
    pickHead(heads.map(([number, timestampSeconds]) => ({ head: { number, timestampSeconds } })) as never, {
      ...{ nodes: heads.length, nowSeconds: 1_100 },
    }).head.number

  it('counts for the newest up to 64 blocks on', () => {
    expect(pick([100, 1_000], [164, 1_000], [100, 1_000])).toBe(164)
    expect(pick([100, 1_000], [165, 1_000], [100, 1_000])).toBe(100)
  })

  it('counts where the others are behind, as their blocks are older: by ten blocks a second at most', () => {
    expect(pick([100, 1_000], [564, 1_040], [100, 1_000])).toBe(564)
    expect(pick([100, 1_000], [565, 1_040], [100, 1_000])).toBe(100)
  })

  it('counts where most have it', () => expect(pick([100, 1_000], [20_000, 1_010], [20_001, 1_012])).toBe(20_001))

  it('counts for nothing by a date that is still to come', () => {
    expect(pick([1_164, 9_999], [100, 1_000], [100, 1_000])).toBe(1_164)
    expect(pick([1_165, 9_999], [100, 1_000], [100, 1_000])).toBe(100)
  })

  it('counts where half are against it: nobody knows', () => {
    expect(pick([20_000, 1_000], [100, 1_000])).toBe(20_000)
    expect(pick([20_000, 1_000], [19_990, 1_000], [100, 1_000], [100, 1_000])).toBe(20_000)
  })

  it('of a single node counts', () => expect(pick([20_000, 1_000])).toBe(20_000))
})
