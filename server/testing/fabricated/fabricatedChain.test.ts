import type { Address } from '@chainboard/core'
import { afterEach, describe, expect, it } from 'vitest'
import { createViemChain } from '../../chain/viemChain.ts'
import { pause } from '../../pause.ts'
import { createWitness } from '../../witness/createWitness.ts'
import { dumpIndex } from '../dumpIndex.ts'
import { follow, untilSynced } from '../fakeExchange.ts'
import { witnessDefaults } from '../following.ts'
import { native, usdc } from '../simulation/modelMarket.ts'
import { createTempStores } from '../tempStores.ts'
import { type FabricatedOptions, fabricateChain } from './fabricatedChain.ts'
import { createPublicNode, multicall3, type PublicNode, type PublicNodeLimits } from './publicNode.ts'
import { serveNode } from './serveNode.ts'

const stores = createTempStores()
const options: FabricatedOptions = {
  seed: 'an old chain',
  chainId: 31_337,
  blocks: 20_000,
  pools: 12,
  swaps: 4_000,
  periodSeconds: 2,
  headSeconds: 1_790_000_000,
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Follows the chain through such nodes until all of it is in the index, with everything checked. */
async function followThrough(
  limits: PublicNodeLimits | readonly PublicNodeLimits[],
  changes: Partial<FabricatedOptions> = {},
  { confirmations = 8, timeoutMs }: { confirmations?: number; timeoutMs?: number } = {},
) {
  const chain = fabricateChain({ ...options, ...changes })
  const clock = { nowMs: () => performance.now(), pause: (ms: number) => pause(ms, new AbortController().signal) }
  const nodes = [limits].flat().map((each) => createPublicNode(chain, each, clock))
  const served = await Promise.all(nodes.map(serveNode))
  ends.push(...served.map(({ stop }) => stop))
  const urls = served.map(({ url }) => url)
  const store = await stores.openNew('sqlite')
  const patience = { paced: true, ...(timeoutMs && { timeoutMs }) }
  const ours = createViemChain(urls, patience)
  const doubts: string[] = []
  const witness = createWitness({
    ...witnessDefaults,
    nodes: urls.map((url) => createViemChain([url], patience)),
    store,
    factory: chain.factory as Address,
    multicall: multicall3 as Address,
    log: { info: () => undefined, warn: (_facts, text) => void doubts.push(text) },
    forward: ours.forward,
    distrust: ours.distrust,
    nowMs: Date.now,
  })
  const follower = follow(ours, store, {
    factory: chain.factory as Address,
    spanMax: 10_000,
    stables: [usdc.address as Address],
    mayRestart: false,
    confirmations,
    witness,
  })
  ends.unshift(() => follower.stop())
  await untilSynced(ours, follower)
  await follower.stop()
  await witness.stop()
  return { chain, node: nodes[0] as PublicNode, doubts, dump: await dumpIndex(store) }
}

/** What comes through a node without limits: read once, whichever test wants it first. */
let unlimited: ReturnType<typeof followThrough> | undefined
const followUnlimited = () => {
  unlimited ??= followThrough({})
  return unlimited
}

describe('a chain that is made where one looks at it', () => {
  it('is the same at every look, and each block links to the one below', () => {
    const [one, other] = [fabricateChain(options), fabricateChain(options)]
    for (const number of [0, 1, 200, 201, 19_999, 20_000]) {
      const block = one.under(one.head(), number)
      expect(block?.hash).toBe(other.under(other.head(), number)?.hash)
      expect(block?.logs).toEqual(other.under(other.head(), number)?.logs)
      if (number > 0) expect(block?.parent?.hash).toBe(one.under(one.head(), number - 1)?.hash)
      expect(one.find(block?.hash as string)?.number).toBe(number)
    }
    expect(one.head().pools.get(one.addresses.values().next().value as string)?.token0).toBe(
      [native, usdc].map(({ address }) => address).sort()[0],
    )
  })

  it('keeps its content in a reorg, and has other hashes', () => {
    const chain = fabricateChain(options)
    const before = chain.head()
    chain.reorg(3)
    expect(chain.head().number).toBe(20_000)
    expect(chain.head().hash).not.toBe(before.hash)
    expect(chain.find(before.hash)).toBeUndefined()
    expect(chain.under(chain.head(), 19_997)?.hash).toBe(fabricateChain(options).under(before, 19_997)?.hash)
  })

  it('is read whole by the index, which finds nothing wrong in it', { timeout: 180_000 }, async () => {
    const { chain, dump, doubts } = await followUnlimited()
    expect(doubts).toEqual([])
    expect(dump.swaps).toHaveLength(4_000)
    expect(dump.pools).toHaveLength(12)
    for (const pool of dump.pools) {
      const state = chain.head().pools.get(pool.address)
      expect(pool).toMatchObject({
        sqrt_price_x96: String(state?.sqrtPriceX96),
        liquidity: String(state?.liquidity),
        tick: state?.tick,
      })
    }
  })
})

describe('through a public node', () => {
  it('that tells no times and limits the rate, the index is the same, and no call is refused again and again', {
    timeout: 180_000,
  }, async () => {
    const limits = { latencyMs: 5, perSecond: 100, blocksMax: 1_000, tellsTimes: false }
    const { dump, node } = await followThrough(limits)
    const { dump: through } = await followUnlimited()
    expect(dump).toEqual(through)
    // Ranges that are under way together are refused together.
    expect(node.seen.tooWide).toBeLessThanOrEqual(4)
    expect(node.seen.tooFast).toBeLessThan(node.seen.answered)
  })

  it('that reads logs of named contracts only, the index is the same', { timeout: 180_000 }, async () => {
    const { dump, doubts } = await followThrough({ wantsAddress: true, blocksMax: 1_000 })
    const { dump: through } = await followUnlimited()
    expect(dump).toEqual(through)
    expect(doubts).toEqual([])
  })

  it('that wants contracts named, no event of a pool is lost that was made in the same range near the head', {
    timeout: 180_000,
  }, async () => {
    // The whole chain may still change: 32 blocks a range, each by its hash; pools are made in the first three.
    const { dump, doubts } = await followThrough({ wantsAddress: true }, { blocks: 300, swaps: 200 }, { confirmations: 400 })
    expect(doubts).toEqual([])
    expect([dump.pools.length, dump.swaps.length]).toEqual([12, 200])
  })

  it('that takes few blocks and few logs at once, it is the same', { timeout: 180_000 }, async () => {
    const limits = { blocksMax: 700, logsMax: 60, tooWide: { code: -32_000, message: 'no' } }
    const { dump } = await followThrough(limits, { missedEvery: 97 })
    expect(dump.swaps).toHaveLength(4_000)
  })
})

describe('through three nodes', () => {
  it.each<[string, PublicNodeLimits]>([
    ['leaves out one of fifty logs', { omitsEvery: 50 }],
    ['takes every call and answers none', { hangs: true }],
  ])('of which one %s, the index is the same', { timeout: 180_000 }, async (_what, bad) => {
    const nodes = [{ blocksMax: 1_000 }, { ...bad, blocksMax: 1_000 }, { wantsAddress: true }]
    // Each call of the node that hangs costs so much: less than the 15 s of a server.
    const { dump } = await followThrough(nodes, {}, { timeoutMs: 2_000 })
    const { dump: through } = await followUnlimited()
    expect(dump).toEqual(through)
  })
})
