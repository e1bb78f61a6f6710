import type { Address } from '@chainboard/core'
import fc from 'fast-check'
import type { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { pause } from '../pause.ts'
import { askAgain, findAsked } from '../store/oldDollars.ts'
import type { Store, Tx } from '../store/store.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, poolOf, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { falsifyDollars } from '../testing/falsify.ts'
import { strictLog } from '../testing/following.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { keepRevaluing } from './keepRevaluing.ts'
import { type RevalueDeps, revalueHour } from './revalue.ts'
import type { WorldHolder } from './worldHolder.ts'

const stores = createTempStores()
const options = { factory, confirmations: 6, spanMax: 7 }
const valuation = {
  stables: [tokens[0] as Address, tokens[2] as Address],
  wrappedNative: tokens[1] as Address,
  depthFloorUsdE18: 0n,
  quotes: [],
  windowSeconds: 600,
}
const toDeps = (store: Store, holder: WorldHolder = { world: undefined }): RevalueDeps => ({
  store,
  valuation,
  holder,
  isOurs: () => true,
})

function newChain(): FakeChain {
  const chain = new FakeChain()
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1)])
  return chain
}

const setFeeProtocol = (index: number, share: number) => ({
  address: poolOf(index),
  name: 'SetFeeProtocol' as const,
  args: { feeProtocol0Old: 0, feeProtocol1Old: 0, feeProtocol0New: share, feeProtocol1New: share },
})

/** Six days: hours with much and with nothing in them, all kinds of events, and pools that appear on the way. */
function sixDays(): FakeChain {
  const chain = newChain()
  // All of the last pool's events fit, so that its fees are known.
  chain.mine([poolEvent(0, 0, 300), poolEvent(1, 0, 200), ...poolCreated(4), poolEvent(4, 0, 300)])
  for (const [seed, secondsLater] of [
    [3, 12],
    [11, 700],
    [22, 1_900],
    [5, 12],
    [4, 7_300],
    [33, 600],
    [8, 20_000],
  ] as const) {
    mineSome(chain, { blocks: 12, seed, secondsLater })
    chain.mine([setFeeProtocol(4, 4 + (seed % 5)), poolEvent(0, 5, seed)])
    chain.mine([poolEvent(4, 3, 1_000 + seed)], 5_000)
  }
  chain.mine([setFeeProtocol(0, 9)])
  return chain
}

async function sync(chain: FakeChain, store: Store): Promise<void> {
  const follower = follow(chain, store, options)
  await untilSynced(chain, follower)
  await follower.stop()
}

async function dumpFromScratch(chain: FakeChain, engine: Store['engine']) {
  const store = await stores.openNew(engine)
  await sync(chain, store)
  const dump = await dumpIndex(store)
  await store.close()
  return dump
}

/** @returns how many hours it took */
async function revalueAll(deps: RevalueDeps): Promise<number> {
  let hours = 1
  while (await revalueHour(deps)) hours += 1
  return hours
}

describe.each(engines)('an index valued again (%s)', (engine) => {
  it('is the one that a sync from scratch makes, whichever block it begins with', { timeout: 120_000 }, async () => {
    const chain = sixDays()
    const wanted = await dumpFromScratch(chain, engine)
    expect(new Set(wanted.exchangeDays.map(({ start }) => start)).size).toBe(6)
    expect(new Set(wanted.events.map(({ kind }) => kind))).toEqual(new Set(['initialize', 'mint', 'burn', 'collect', 'flash']))
    expect(BigInt(wanted.pools.find(({ address }) => address === poolOf(4))?.fee_growth0 ?? 0)).toBeGreaterThan(0n)
    expect(wanted.swaps.some(({ amount_usd }) => Number(amount_usd) > 100)).toBe(true)
    // The second stable coin leaves the dollar on the way.
    const worths = wanted.tokenHours.flatMap(({ token, price_usd }) => (token === tokens[2] ? [price_usd] : []))
    expect(worths).toContain('1000000000000000000')
    expect(worths).toContain('1010740354890003800')
    const store = await stores.openNew(engine)
    await sync(chain, store)
    for (const from of [0, 20, 37, 61, chain.height - 3, chain.height]) {
      await falsifyDollars(store, from)
      expect(await dumpIndex(store), `from ${from}`).not.toEqual(wanted)
      await revalueAll(toDeps(store))
      expect(await dumpIndex(store), `from ${from}`).toEqual(wanted)
    }
  })

  it('is the same after a kill between any two hours', { timeout: 120_000 }, async () => {
    const chain = sixDays()
    const wanted = await dumpFromScratch(chain, engine)
    const store = await stores.openNew(engine)
    await sync(chain, store)
    await falsifyDollars(store, 0)
    const seen: number[] = []
    // Every hour is a process of its own, and every second one is killed before its transaction is whole.
    for (;;) {
      const killed: Store = {
        ...store,
        write: (work) =>
          store.write(async (tx) => {
            await work(tx)
            throw new Error('killed')
          }),
      }
      await expect(revalueHour(toDeps(killed))).rejects.toThrow('killed')
      const left = await revalueHour(toDeps(store))
      if (!left) break
      seen.push(left.next)
      expect(await findAsked(store.read)).toMatchObject({ fromBlock: left.next, toBlock: chain.height })
    }
    expect(seen.length).toBeGreaterThan(20)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect(await dumpIndex(store)).toEqual(wanted)
  })

  it('is the same after a statement failed in the middle of an hour', { timeout: 120_000 }, async () => {
    const chain = sixDays()
    const wanted = await dumpFromScratch(chain, engine)
    const store = await stores.openNew(engine)
    await sync(chain, store)
    await falsifyDollars(store, 0)
    const holder: WorldHolder = { world: undefined }
    const refuse = (tx: Tx): Tx =>
      new Proxy(tx, {
        get: (of, name) => {
          const own = Reflect.get(of, name, of)
          if (name !== 'executeQuery') return typeof own === 'function' ? own.bind(of) : own
          return (query: CompiledQuery) => {
            if (query.sql.startsWith('insert into "pool_hours"')) throw new Error('full')
            return of.executeQuery(query)
          }
        },
      })
    const full: Store = { ...store, write: (work) => store.write((tx) => work(refuse(tx))) }
    while (await revalueHour(toDeps(store, holder))) await expect(revalueHour(toDeps(full, holder))).rejects.toThrow('full')
    expect(await dumpIndex(store)).toEqual(wanted)
  })

  it('knows nothing any more of blocks that a reorg took', { timeout: 120_000 }, async () => {
    const chain = sixDays()
    const store = await stores.openNew(engine)
    const holder: WorldHolder = { world: undefined }
    const follower = follow(chain, store, { ...options, holder })
    await untilSynced(chain, follower)
    await falsifyDollars(store, 0)
    let next = 0
    while (next < 50) next = (await revalueHour(toDeps(store, holder)))?.next ?? Number.POSITIVE_INFINITY
    chain.cut(chain.height - next + 8)
    mineSome(chain, { blocks: 30, seed: 17, secondsLater: 800 })
    await untilSynced(chain, follower)
    await falsifyDollars(store, next)
    await revalueAll(toDeps(store, holder))
    await follower.stop()
    expect(await dumpIndex(store)).toEqual(await dumpFromScratch(chain, engine))
  })

  it('has all totals when a reorg takes the blocks that were left to value', { timeout: 120_000 }, async () => {
    const chain = sixDays()
    const store = await stores.openNew(engine)
    const holder: WorldHolder = { world: undefined }
    const follower = follow(chain, store, { ...options, holder })
    await untilSynced(chain, follower)
    await falsifyDollars(store, 0)
    let next = 0
    while (next < chain.height - 3) next = (await revalueHour(toDeps(store, holder)))?.next ?? Number.POSITIVE_INFINITY
    // Some pools have nothing in the few blocks that go: their totals were to be written after the last one.
    const depth = chain.height - next + 2
    chain.cut(depth)
    chain.mine([poolEvent(0, 0, 7)])
    for (let blocks = 0; blocks < depth; blocks += 1) chain.mine([])
    await untilSynced(chain, follower)
    await follower.stop()
    expect(await findAsked(store.read)).toBeUndefined()
    expect(await dumpIndex(store)).toEqual(await dumpFromScratch(chain, engine))
  })

  it('shows no day that lost a part of its volume while it is valued', { timeout: 120_000 }, async () => {
    const chain = sixDays()
    const store = await stores.openNew(engine)
    await sync(chain, store)
    const wanted = (await dumpIndex(store)).exchangeDays
    const newest = chain.height
    await store.write((tx) => askAgain(tx, 0, newest))
    while (await revalueHour(toDeps(store))) expect((await dumpIndex(store)).exchangeDays).toEqual(wanted)
  })

  it('keeps the ticks of few pools in memory and still knows those of all', { timeout: 120_000 }, async () => {
    const chain = sixDays()
    const wanted = await dumpFromScratch(chain, engine)
    const store = await stores.openNew(engine)
    await sync(chain, store)
    await falsifyDollars(store, 0)
    const holder: WorldHolder = { world: undefined }
    // As if others had pushed them out.
    while (await revalueHour(toDeps(store, holder))) holder.past?.world.ticks.clear()
    expect(await dumpIndex(store)).toEqual(wanted)
  })

  it('forgets the blocks that a reorg takes, and no other', async () => {
    const chain = sixDays()
    const store = await stores.openNew(engine)
    await sync(chain, store)
    await falsifyDollars(store, 60)
    chain.cut(10)
    mineSome(chain, { blocks: 12, seed: 3 })
    await sync(chain, store)
    expect(await findAsked(store.read)).toMatchObject({ fromBlock: 60, toBlock: 91 })
    chain.cut(chain.height - 57)
    mineSome(chain, { blocks: 30, seed: 9 })
    await sync(chain, store)
    expect(await dumpIndex(store)).toEqual(await dumpFromScratch(chain, engine))
  })

  it('is left alone when it was made with another valuation', async () => {
    const chain = newChain()
    const store = await stores.openNew(engine)
    await sync(chain, store)
    await falsifyDollars(store, 0)
    const before = await dumpIndex(store)
    expect(await revalueHour({ ...toDeps(store), isOurs: () => false })).toBeUndefined()
    expect(await dumpIndex(store)).toEqual(before)
  })
})

/** What can happen while blocks are valued again. */
const happening = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('mine' as const),
      blocks: fc.integer({ min: 1, max: 12 }),
      seed: fc.nat(10_000),
      secondsLater: fc.constantFrom(1, 12, 1_800, 40_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 30 }),
      blocks: fc.integer({ min: 0, max: 34 }),
      seed: fc.nat(10_000),
      secondsLater: fc.constantFrom(1, 12, 1_800),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('revalue' as const), part: fc.integer({ min: 0, max: 10 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('hours' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sync' as const) }) },
)

describe.each(engines)('whatever happens while blocks are valued again (%s)', (engine) => {
  it('leaves the index that a sync from scratch makes', { timeout: 240_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 4, maxLength: 16 }), async (story) => {
        const chain = newChain()
        mineSome(chain, { blocks: 30, seed: 4, secondsLater: 1_200 })
        const store = await stores.openNew(engine)
        let holder: WorldHolder = { world: undefined }
        let follower = follow(chain, store, { ...options, holder })
        await untilSynced(chain, follower)
        for (const event of story) {
          if (event.kind === 'mine') mineSome(chain, event)
          if (event.kind === 'reorg') {
            chain.cut(Math.min(event.depth, chain.height - 1))
            mineSome(chain, event)
          }
          if (event.kind === 'revalue') await falsifyDollars(store, Math.floor((chain.height * event.part) / 10))
          // Beside the follower, which reads on meanwhile.
          if (event.kind === 'hours') for (let i = 0; i < event.count; i += 1) await revalueHour(toDeps(store, holder))
          if (event.kind === 'restart') {
            await follower.stop()
            holder = { world: undefined }
            follower = follow(chain, store, { ...options, holder })
          }
          if (event.kind === 'sync') await untilSynced(chain, follower)
        }
        await untilSynced(chain, follower)
        await revalueAll(toDeps(store, holder))
        mineSome(chain, { blocks: 3, seed: 7 })
        await untilSynced(chain, follower)
        await follower.stop()
        const dump = await dumpIndex(store)
        await store.close()
        expect(dump).toEqual(await dumpFromScratch(chain, engine))
      }),
      // Making a story shorter takes longer than the test may: its seed says which it was.
      { numRuns: engine === 'sqlite' ? 30 : 8, endOnFailure: true },
    ),
  )

  it('continues beside the follower, through blocks and a reorg', { timeout: 120_000 }, async () => {
    const chain = sixDays()
    const store = await stores.openNew(engine)
    const holder: WorldHolder = { world: undefined }
    const follower = follow(chain, store, { ...options, holder })
    await untilSynced(chain, follower)
    await falsifyDollars(store, 0)
    const lines: string[] = []
    let done = 0
    const part = keepRevaluing({
      ...toDeps(store, holder),
      log: { ...strictLog, info: (_facts, text) => void lines.push(text) },
      nowMs: () => Date.now(),
      pause: (_ms, signal) => pause(0, signal),
      onDone: () => {
        done += 1
      },
    })
    const left = async () => (await findAsked(store.read))?.fromBlock
    while (((await left()) ?? 999) < 20) await pause(1, new AbortController().signal)
    mineSome(chain, { blocks: 5, seed: 40, secondsLater: 12 })
    await untilSynced(chain, follower)
    chain.cut(9)
    mineSome(chain, { blocks: 12, seed: 41, secondsLater: 900 })
    await untilSynced(chain, follower)
    while ((await left()) !== undefined || done === 0) await pause(1, new AbortController().signal)
    await part.stop()
    mineSome(chain, { blocks: 4, seed: 42 })
    await untilSynced(chain, follower)
    await follower.stop()
    expect(lines).toEqual(['Revaluing blocks', 'All blocks are revalued'])
    expect(await dumpIndex(store)).toEqual(await dumpFromScratch(chain, engine))
  })
})
