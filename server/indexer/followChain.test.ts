import { type Address, Failure } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import { createViemChain } from '../chain/viemChain.ts'
import { pause } from '../pause.ts'
import type { Store } from '../store/store.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import {
  type FollowOptions,
  factory,
  follow,
  mineSome,
  poolCreated,
  poolEvent,
  poolOf,
  tokens,
  untilSynced,
} from '../testing/fakeExchange.ts'
import { strictLog } from '../testing/following.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'

const stores = createTempStores()

/** Syncs with a process that ends right after each of its commits and starts again. @returns the number of starts */
async function syncKilledAtEveryCommit(chain: FakeChain, store: Store): Promise<number> {
  const endAfterCommit: Store = {
    ...store,
    write: async (work) => {
      await store.write(work)
      throw new Error('killed')
    },
  }
  const head = await chain.readHead()
  for (let starts = 1; starts < 40; starts += 1) {
    let hasEnded = false
    const follower = follow(chain, endAfterCommit, {
      factory,
      spanMax: 2,
      log: { ...strictLog, error: () => undefined },
      pause: async (_ms, signal) => {
        hasEnded ||= follower.status().faults > 0
        await pause(0, signal)
      },
    })
    while (!hasEnded && !follower.status().complete) await pause(1, new AbortController().signal)
    await follower.stop()
    if (follower.status().complete && follower.status().cursor?.hash === head.hash) return starts
  }
  throw new Error('the index did not catch up in 40 starts')
}

/** The index of a chain, synced from nothing in one go. */
async function dumpFromScratch(chain: Chain, engine: Store['engine'], options: FollowOptions) {
  const store = await stores.openNew(engine)
  const follower = follow(chain, store, { ...options, spanMax: 10_000 })
  await untilSynced(chain, follower)
  await follower.stop()
  const dump = await dumpIndex(store)
  await store.close()
  return dump
}

/** Things that can happen between two looks at a chain. */
const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('mine' as const),
      blocks: fc.integer({ min: 1, max: 12 }),
      seed: fc.nat(10_000),
      secondsLater: fc.constantFrom(1, 12, 1_800, 40_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 20 }),
      blocks: fc.integer({ min: 0, max: 24 }),
      seed: fc.nat(10_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fail' as const),
      code: fc.constantFrom('rpc-unavailable' as const, 'rpc-rate-limited' as const, 'rpc-range-too-wide' as const),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sync' as const) }) },
)

describe.each(engines)('whatever happens to the chain, the node and the process (%s)', (engine) => {
  it('leaves the index that a sync from scratch makes', { timeout: 240_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 14 }), async (story) => {
        const chain = new FakeChain()
        for (const address of tokens)
          chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
        chain.mine([...poolCreated(0), ...poolCreated(1)])
        const options = { factory, confirmations: 6, spanMax: 7 }
        const store = await stores.openNew(engine)
        let follower = follow(chain, store, options)
        for (const event of story) {
          if (event.kind === 'mine') mineSome(chain, event)
          if (event.kind === 'reorg') {
            chain.cut(Math.min(event.depth, chain.height - 1))
            mineSome(chain, event)
          }
          if (event.kind === 'fail')
            chain.failures.push(...Array.from({ length: event.times }, () => new Failure(event.code, 'no', { retryable: true })))
          if (event.kind === 'restart') {
            await follower.stop()
            follower = follow(chain, store, options)
          }
          if (event.kind === 'sync') {
            chain.failures.length = 0
            await untilSynced(chain, follower)
          }
        }
        chain.failures.length = 0
        await untilSynced(chain, follower)
        await follower.stop()
        const dump = await dumpIndex(store)
        await store.close()
        expect(dump).toEqual(await dumpFromScratch(chain, engine, options))
      }),
      { numRuns: engine === 'sqlite' ? 60 : 15 },
    ),
  )

  it('keeps the pools of chosen tokens only, when asked to', async () => {
    const chain = new FakeChain()
    chain.mine([...poolCreated(0), ...poolCreated(1), poolEvent(0, 5, 10), poolEvent(1, 5, 10)])
    const { pools, swaps } = await dumpFromScratch(chain, engine, { factory, onlyTokens: new Set([tokens[0] as Address]) })
    expect(pools.map(({ address }) => address)).toEqual([poolOf(0)])
    expect(swaps.map(({ pool }) => pool)).toEqual([poolOf(0)])
  })

  it('keeps few references to old blocks, whatever blocks its ranges end at', async () => {
    const chain = new FakeChain()
    chain.mine(poolCreated(0))
    for (let i = 0; i < 5_130; i += 1) chain.mine()
    const store = await stores.openNew(engine)
    // Ranges of twelve blocks from block 0 on end at 11, 23, 35, …: never at a multiple of 1,024, 5,120 among them.
    const follower = follow(chain, store, { factory, confirmations: 0, spanMax: 12 })
    await untilSynced(chain, follower)
    await follower.stop()
    const { count } = await store.read
      .selectFrom('blocks')
      .select((e) => e.fn.count<number>('number').as('count'))
      .where('number', '<', 1_024)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(1)
  })

  it('follows an exchange that nobody used yet through a reorg', async () => {
    const chain = new FakeChain()
    for (let i = 0; i < 6; i += 1) chain.mine()
    const store = await stores.openNew(engine)
    const follower = follow(chain, store, { factory })
    await untilSynced(chain, follower)
    chain.cut(2)
    chain.mine()
    chain.mine([...poolCreated(0), poolEvent(0, 5, 10)])
    chain.mine()
    await untilSynced(chain, follower)
    await follower.stop()
    expect(await dumpIndex(store)).toEqual(await dumpFromScratch(chain, engine, { factory }))
  })

  it('starts over on a chain with another genesis', async () => {
    const store = await stores.openNew(engine)
    const old = new FakeChain()
    old.mine([...poolCreated(0), poolEvent(0, 5, 10)])
    const first = follow(old, store, { factory })
    await untilSynced(old, first)
    await first.stop()
    const regenerated = new FakeChain({ genesisAtSeconds: 1_700_000_500 })
    regenerated.mine([...poolCreated(1), poolEvent(1, 5, 20)])
    const second = follow(regenerated, store, { factory })
    await untilSynced(regenerated, second)
    await second.stop()
    expect(await dumpIndex(store)).toEqual(await dumpFromScratch(regenerated, engine, { factory }))
  })

  it('is whole after every single commit, of a range and of a rollback: rows and cursor go together', async () => {
    const chain = new FakeChain()
    chain.mine([...poolCreated(0), poolEvent(0, 5, 10)])
    mineSome(chain, { blocks: 12, seed: 3 })
    const store = await stores.openNew(engine)
    expect(await syncKilledAtEveryCommit(chain, store)).toBeGreaterThan(5)
    expect(await dumpIndex(store)).toEqual(await dumpFromScratch(chain, engine, { factory }))
    chain.cut(4)
    mineSome(chain, { blocks: 6, seed: 8 })
    expect(await syncKilledAtEveryCommit(chain, store)).toBeGreaterThan(3)
    expect(await dumpIndex(store)).toEqual(await dumpFromScratch(chain, engine, { factory }))
  })

  it('stays away from a node of another chain, and says why', async () => {
    const chain = new FakeChain({ chainId: 1 })
    chain.mine(poolCreated(0))
    const store = await stores.openNew(engine)
    const follower = follow(chain, store, { factory })
    while (follower.status().trouble === undefined) await pause(1, new AbortController().signal)
    expect(follower.status().trouble).toMatchObject({
      kind: 'other-chain',
      text: 'The node is on chain 1, the network file says 31337: check RPC_URL',
    })
    await follower.stop()
    expect((await dumpIndex(store)).pools).toEqual([])
  })
})

describe('on a real node', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startShortDevnet()
  })
  afterAll(() => devnet.stop())

  const realFactory = () => devnet.contracts.factory.toLowerCase() as Address
  const realUsdc = () => devnet.tokens.find(({ symbol }) => symbol === 'USDC')?.address.toLowerCase() as Address

  it('every pool stands where its contract says it stands: price, tick, liquidity, and the tokens it holds', async () => {
    const chain = createViemChain([devnet.rpcUrl])
    const store = await stores.openNew('sqlite')
    const follower = follow(chain, store, {
      factory: realFactory(),
      confirmations: 16,
      spanMax: 10_000,
      stables: [realUsdc()],
    })
    await untilSynced(chain, follower)
    await follower.stop()
    const { pools } = await dumpIndex(store)
    expect(pools.length).toBe(devnet.pools.length)
    const ask = (to: string, data: string) => devnet.rpc<string>('eth_call', [{ to, data }, 'latest'])
    const word = (answer: string, index: number) => BigInt(`0x${answer.slice(2 + 64 * index, 66 + 64 * index)}`)
    for (const { address, token0, token1, ...pool } of pools) {
      const slot0 = await ask(address, '0x3850c7bd')
      const balanceOf = `0x70a08231${address.slice(2).padStart(64, '0')}`
      expect(pool).toMatchObject({
        sqrt_price_x96: word(slot0, 0).toString(),
        tick: Number(BigInt.asIntN(24, word(slot0, 1))),
        liquidity: word(await ask(address, '0x1a686502'), 0).toString(),
        reserve0: word(await ask(token0, balanceOf), 0).toString(),
        reserve1: word(await ask(token1, balanceOf), 0).toString(),
      })
    }
  })

  it('a reorg of 1 to 20 blocks leaves the index that a sync from scratch makes', { timeout: 180_000 }, async () => {
    const chain = createViemChain([devnet.rpcUrl])
    const store = await stores.openNew('sqlite')
    const follower = follow(chain, store, {
      factory: realFactory(),
      confirmations: 16,
      spanMax: 10_000,
      stables: [realUsdc()],
      // Not at every turn: the node makes the trades meanwhile.
      pause: (_ms, signal) => pause(10, signal),
    })
    await untilSynced(chain, follower)
    // Below, at and above the confirmations. Other depths are drawn above, on the chain in memory.
    for (const depth of [1, 2, 5, 15, 16, 17, 20]) {
      const pool = devnet.pools[0]?.address as Address
      for (let i = 0; i < depth; i += 1) await devnet.trade([{ pool, toTick: 202_000 + depth * 10 + i }])
      await untilSynced(chain, follower)
      const before = await dumpIndex(store)
      await devnet.reorg(depth)
      await devnet.trade([{ pool, toTick: 203_000 + depth * 10 }])
      await untilSynced(chain, follower)
      const after = await dumpIndex(store)
      expect(after.swaps.length).toBe(before.swaps.length - depth + 1)
      expect(after).toEqual(await dumpFromScratch(chain, 'sqlite', { factory: realFactory(), stables: [realUsdc()] }))
    }
    await follower.stop()
  })
})

it('a token that appears with its pool gets its name from a node that has that block, no matter who else is asked', async () => {
  const chain = new FakeChain()
  const { readTokens } = chain
  // Of two honest nodes behind one URL the one a block behind answers what is asked at the newest block.
  let isLate = true
  chain.readTokens = async (addresses, since) => {
    if (!since) return new FakeChain().readTokens(addresses)
    if (isLate) {
      isLate = false
      throw new Failure('rpc-unavailable', `The node does not have block ${since.number}`, { retryable: true })
    }
    return readTokens(addresses, since)
  }
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine(poolCreated(0))
  const store = await stores.openNew('sqlite')
  const follower = follow(chain, store, { factory })
  await untilSynced(chain, follower)
  await follower.stop()
  expect((await dumpIndex(store)).tokens.map(({ symbol, decimals }) => [symbol, decimals])).toEqual([
    ['T', 18],
    ['T', 18],
  ])
  expect(isLate).toBe(false)
  await store.close()
})
