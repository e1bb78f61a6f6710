import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, daySeconds, hourSeconds } from '@chainboard/core'
import { afterEach, expect, it } from 'vitest'
import { createViemChain } from '../chain/viemChain.ts'
import type { IndexScope } from '../indexer/indexScope.ts'
import { openWorld } from '../indexer/openWorld.ts'
import { createIndexSource } from '../market/sources/index/indexSource.ts'
import { pause } from '../pause.ts'
import { wholeIndex } from '../store/indexSwitch.ts'
import { listLivePools, type Pool } from '../store/pools.ts'
import { type FabricatedOptions, fabricateChain } from '../testing/fabricated/fabricatedChain.ts'
import { createPublicNode, multicall3, type PublicNodeLimits } from '../testing/fabricated/publicNode.ts'
import { serveNode } from '../testing/fabricated/serveNode.ts'
import { follow, untilSynced } from '../testing/fakeExchange.ts'
import { limitDefaults } from '../testing/following.ts'
import { native, usdc } from '../testing/simulation/modelMarket.ts'
import type { ModelPool } from '../testing/simulation/modelPool.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { buildIndex } from './buildIndex.ts'
import { createLogSpool } from './logSpool.ts'

const stores = createTempStores()
const folder = mkdtempSync(join(tmpdir(), 'chainboard-recent-'))
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  rmSync(folder, { recursive: true, force: true })
})

/** 55 hours of a chain. */
const options: FabricatedOptions = {
  ...{ seed: 'a chain of some days', chainId: 31_337, blocks: 20_000, pools: 12, swaps: 4_000, periodSeconds: 10 },
  headSeconds: 1_790_000_000,
}
const valuation = {
  ...{ stables: [usdc.address as Address], wrappedNative: native.address as Address, quotes: [] },
  ...{ depthFloorUsdE18: 10n * 10n ** 18n, windowSeconds: 1_800 },
}

async function open(limits: PublicNodeLimits) {
  const chain = fabricateChain(options)
  const clock = { nowMs: () => performance.now(), pause: (ms: number) => pause(ms, new AbortController().signal) }
  const node = createPublicNode(chain, limits, clock)
  const { url, stop } = await serveNode(node)
  ends.push(stop)
  return { chain, node, ours: createViemChain([url], { paced: true }) }
}

type Opened = Awaited<ReturnType<typeof open>>

type Wanted = { readonly confirmations?: number; readonly onlyTokens?: ReadonlySet<Address> | undefined }

async function build({ chain, ours }: Opened, seconds: number, { confirmations = 0, onlyTokens }: Wanted = {}) {
  const scope: IndexScope = { factory: chain.factory as Address, onlyTokens, valuation }
  const store = await stores.openNew('sqlite')
  const limits = { startBlock: 1, confirmations, pollMs: 100, spanMax: 10_000, reorgDepthMax: 64, mayRestart: false }
  const spool = createLogSpool(join(folder, 'logs'))
  const known = { pools: new Map(), tokens: new Map(), searched: false, starts: new Map() }
  const built = await buildIndex(
    {
      ...{ chain: ours, chainId: 31_337, scope, limits, spool },
      search: {
        ...{ factory: scope.factory, multicall: multicall3 as Address },
        wants: (token0, token1) => !onlyTokens || onlyTokens.has(token0) || onlyTokens.has(token1),
      },
      tokens: [...(onlyTokens ?? chain.listed.map(({ address }) => address as Address))],
      onProgress: () => undefined,
      signal: new AbortController().signal,
    },
    store,
    { seconds, known },
  )
  spool.clear()
  return { built, store }
}

const byAddress = (pools: readonly Pool[]) => new Map(pools.map((pool) => [pool.address, pool]))
const listed = (chain: Opened['chain']) =>
  chain.listed.map(({ address, decimals, symbol }) => ({ id: address as Address, decimals, symbol }) as never)

it('of now has every pool as its contract has it', { timeout: 60_000 }, async () => {
  const opened = await open({ blocksMax: 1_000, tellsTimes: false, wantsAddress: true })
  const { built, store } = await build(opened, 0, { confirmations: 8 })
  const settled = opened.chain.under(opened.chain.head(), 19_992)
  expect(built).toMatchObject({ startBlock: 19_993, sinceSeconds: settled?.timestampSeconds, poolCount: 12 })
  for (const [address, pool] of byAddress(await listLivePools(store.read))) {
    const truth = settled?.pools.get(address)
    expect(pool).toMatchObject({
      ...{ sqrtPriceX96: truth?.sqrtPriceX96, tick: truth?.tick, liquidity: truth?.liquidity },
      ...{ reserve0: truth?.balance0, reserve1: truth?.balance1 },
    })
    expect(pool.depth0).toBeGreaterThan(0n)
  }
})

it.each([
  { node: 'that reads all logs', limits: {}, listedCount: undefined, pools: 12 },
  {
    node: 'that wants contracts named and tells no times',
    limits: { blocksMax: 1_000, tellsTimes: false, wantsAddress: true },
    ...{ listedCount: undefined, pools: 12 },
  },
  { node: 'that reads all logs, and with the pools of five listed tokens only', limits: {}, listedCount: 4, pools: 8 },
])(
  'of a day, through a node $node, answers as the whole index does',
  { timeout: 120_000 },
  async ({ limits, listedCount, pools }) => {
    const opened = await open(limits)
    const addresses = opened.chain.listed.map(({ address }) => address as Address)
    const onlyTokens =
      listedCount === undefined ? undefined : new Set([usdc.address as Address, ...addresses.slice(-listedCount)])
    const { built, store } = await build(opened, daySeconds + hourSeconds, { onlyTokens })
    expect(built).toMatchObject({ startBlock: expect.any(Number), poolCount: pools })
    const whole = await stores.openNew('sqlite')
    const follower = follow(opened.ours, whole, {
      ...{ factory: opened.chain.factory as Address, spanMax: 10_000 },
      scope: { factory: opened.chain.factory as Address, onlyTokens, valuation },
      ...{ mayRestart: false, confirmations: 0 },
    })
    ends.unshift(() => follower.stop())
    await untilSynced(opened.ours, follower)
    const [own, full] = [byAddress(await listLivePools(store.read)), byAddress(await listLivePools(whole.read))]
    expect(own.size).toBe(pools)
    for (const [address, pool] of own) {
      const { sqrtPriceX96, tick, liquidity, depth0, depth1 } = full.get(address) as Pool
      expect(pool).toMatchObject({ sqrtPriceX96, tick, liquidity, depth0, depth1 })
    }
    const tokens = listed(opened.chain).filter(({ id }: { id: Address }) => !onlyTokens || onlyTokens.has(id))
    const [answer, truth] = await Promise.all(
      [store, whole].map((each) => createIndexSource(wholeIndex(each), valuation).read(tokens)),
    )
    for (const { id } of tokens as { id: Address }[]) {
      const [a, b] = [answer?.answers.get(id), truth?.answers.get(id)]
      if (a?.kind !== 'quoted' || b?.kind !== 'quoted') throw new Error(`No price of ${id}`)
      const near = (one: bigint | undefined, other: bigint | undefined) =>
        one === other ? 0 : Math.abs(Number(one) / Number(other) - 1)
      expect(near(a.quote.usdE18, b.quote.usdE18)).toBeLessThan(1e-9)
      expect(near(a.quote.volume24hUsdE18, b.quote.volume24hUsdE18)).toBeLessThan(1e-9)
      expect(near(a.quote.dayAgoUsdE18, b.quote.dayAgoUsdE18)).toBeLessThan(1e-9)
    }
  },
)

it('keeps what it began with when the chain takes back every event behind it', { timeout: 60_000 }, async () => {
  const opened = await open({})
  const { built, store } = await build(opened, 0, { confirmations: 8 })
  const scope: IndexScope = { factory: opened.chain.factory as Address, onlyTokens: undefined, valuation }
  const follower = follow(opened.ours, store, {
    ...{ scope, factory: scope.factory, confirmations: 8 },
    limits: { ...limitDefaults, startBlock: built?.startBlock as number, confirmations: 8, pollMs: 1, mayRestart: true },
  })
  ends.unshift(() => follower.stop())
  await untilSynced(opened.ours, follower)
  const since = built?.startBlock as number
  expect(opened.chain.swapsUntil(20_000)).toBeGreaterThan(opened.chain.swapsUntil(since - 1))
  opened.chain.reorg(20_000 - since + 1)
  await untilSynced(opened.ours, follower)
  await follower.stop()
  // As after a restart.
  const { world } = await openWorld(store.read, 20_000, valuation)
  expect(world.pools.size).toBe(12)
  for (const [address, pool] of world.pools) {
    const { sqrtPriceX96, liquidity, balance0, balance1 } = opened.chain.head().pools.get(address) as ModelPool
    expect(pool).toMatchObject({ sqrtPriceX96, liquidity, reserve0: balance0, reserve1: balance1 })
  }
})

it('of a time before the exchange there is none', { timeout: 60_000 }, async () => {
  const { built } = await build(await open({}), 31 * daySeconds)
  expect(built).toBeUndefined()
})
