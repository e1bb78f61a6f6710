import { type Address, Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Chain, ChainRange } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import { pause } from '../pause.ts'
import { listAsideIndexes } from '../store/asideIndexes.ts'
import { openStore } from '../store/openStore.ts'
import { listPoolAddresses } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, poolOf, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { falsifyDollars } from '../testing/falsify.ts'
import { isWhole, type Listed, newFolder, runIndex, scopeOf, untilWhole } from '../testing/growingScope.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { revalueHour } from './revalue.ts'
import type { WorldHolder } from './worldHolder.ts'

// Pools 0, 2 and 3 have the first token; 1 and 4 have the other two alone: they price the second one, which prices the rest.

const stores = createTempStores()
const [first, second] = tokens as [Address, Address, Address]

function newChain(): FakeChain {
  const chain = new FakeChain()
  // A commit for each of them.
  chain.joinsRanges = false
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1), poolEvent(0, 0, 300)])
  // One transaction with events of a pool of each kind: the first of them is of the pool that is added.
  chain.mine([
    { ...poolEvent(1, 0, 200), transaction: 1 },
    { ...poolEvent(0, 0, 100), transaction: 1 },
    ...poolCreated(4).slice(0, 1),
  ])
  mineSome(chain, { blocks: 30, seed: 4, secondsLater: 700 })
  // Made long before it is opened.
  chain.mine([...poolCreated(4).slice(1), poolEvent(4, 0, 90), poolEvent(4, 5, 33)], 3_000)
  mineSome(chain, { blocks: 12, seed: 9, secondsLater: 60 })
  return chain
}

async function dumpFromScratch(chain: FakeChain, engine: Store['engine'], listed: ReadonlySet<Address> | undefined) {
  const store = await stores.openNew(engine)
  const follower = follow(chain, store, { factory, confirmations: 6, spanMax: 7, scope: scopeOf(listed) })
  await untilSynced(chain, follower)
  await follower.stop()
  return dumpIndex(store)
}

async function begin(chain: FakeChain, engine: Store['engine']) {
  const running = {
    store: await stores.openNew(engine),
    listed: { tokens: new Set([first]) } as Listed,
    folder: newFolder(stores.dir),
  }
  const server = runIndex(chain, running)
  await untilWhole(chain, server, running)
  return { running, server }
}

/** A chain that counts what its logs are of. `isHeld`: whether the range after the first has to wait. */
function counting(chain: FakeChain, isHeld: () => boolean = () => false) {
  const addresses = new Set<Address>()
  const note = (range: ChainRange) => {
    for (const { address } of range.logs) addresses.add(address)
    return range
  }
  const counted: Chain = {
    ...chain,
    readRange: async (request) => note(await chain.readRange(request)),
    async *readHistory(request) {
      let ranges = 0
      for await (const range of chain.readHistory(request)) {
        ranges += 1
        while (ranges > 1 && isHeld()) await pause(1, new AbortController().signal)
        yield note(range)
      }
    },
  }
  return { counted, addresses }
}

describe.each(engines)('a token that is added to an index of listed tokens (%s)', (engine) => {
  it('has its pools while the server runs, and the index is the one from scratch; nothing else is read again', async () => {
    const chain = newChain()
    const { running, server } = await begin(chain, engine)
    await server.stop()
    const before = await dumpIndex(running.store)
    expect(before.pools.map(({ address }) => address)).not.toContain(poolOf(1))
    const { counted, addresses } = counting(chain, () => !next.seen.phases.has('reading'))
    const mains = counting(chain)
    const next: ReturnType<typeof runIndex> = runIndex(mains.counted, running, counted)
    await untilWhole(chain, next, running)
    expect(addresses).toEqual(new Set())
    running.listed.tokens = new Set([first, second])
    await untilWhole(chain, next, running)
    expect([...addresses].sort()).toEqual([poolOf(1), poolOf(4), factory].sort())
    expect(mains.addresses).toEqual(new Set())
    chain.mine([poolEvent(1, 5, 77), poolEvent(0, 5, 12)])
    await untilWhole(chain, next, running)
    await next.stop()
    const wanted = await dumpFromScratch(chain, engine, running.listed.tokens)
    expect(await dumpIndex(running.store)).toEqual(wanted)
    // Everybody's dollars are other ones by the pools that came.
    const dollarsOf = (dump: typeof before) =>
      dump.swaps.filter(({ pool }) => pool === poolOf(0)).map(({ amount_usd }) => amount_usd)
    expect(dollarsOf(wanted)).not.toEqual([...dollarsOf(before), dollarsOf(wanted).at(-1)])
    expect(await listAsideIndexes(running.store.read)).toEqual([])
  })

  it('has them after a restart with the other list', async () => {
    const chain = newChain()
    const { running, server } = await begin(chain, engine)
    await server.stop()
    running.listed.tokens = new Set([first, second])
    const next = runIndex(chain, running)
    await untilWhole(chain, next, running)
    await next.stop()
    expect(await dumpIndex(running.store)).toEqual(await dumpFromScratch(chain, engine, running.listed.tokens))
  })

  it('is in an index of all pools when all are wanted from now on', async () => {
    const chain = newChain()
    const { running, server } = await begin(chain, engine)
    running.listed.tokens = undefined
    await untilWhole(chain, server, running)
    await server.stop()
    expect(await dumpIndex(running.store)).toEqual(await dumpFromScratch(chain, engine, undefined))
  })

  it('changes nothing when it is removed again, and nothing is read twice when it comes back', async () => {
    const chain = newChain()
    const { running, server } = await begin(chain, engine)
    for (const listed of [[first, second], [first], [first, second], [first]]) {
      running.listed.tokens = new Set(listed)
      await pause(1, new AbortController().signal)
    }
    running.listed.tokens = new Set([first, second])
    await untilWhole(chain, server, running)
    await server.stop()
    const wanted = await dumpFromScratch(chain, engine, running.listed.tokens)
    expect(await dumpIndex(running.store)).toEqual(wanted)
    const { counted, addresses } = counting(chain)
    running.listed.tokens = new Set([first])
    const next = runIndex(chain, running, counted)
    await untilWhole(chain, next, running)
    running.listed.tokens = new Set([first, second])
    await untilWhole(chain, next, running)
    await next.stop()
    expect(addresses).toEqual(new Set())
    expect(await dumpIndex(running.store)).toEqual(wanted)
  })

  it('is whole when every process is killed after one commit: of the index, or of what is read beside it', {
    timeout: 120_000,
  }, async () => {
    const chain = newChain()
    const { running, server } = await begin(chain, engine)
    await server.stop()
    running.listed.tokens = new Set([first, second])
    let kills = 0
    const scopes = new Set<string>()
    for (let isDone = false; !isDone && kills < 500; ) {
      let commits = 0
      let isKilled = false
      const mortal = (store: Store): Store => ({
        ...store,
        write: (work) =>
          store.write(async (tx) => {
            const answer = await work(tx)
            isKilled ||= commits === 1
            if (isKilled) throw new Failure('store-unavailable', 'killed', { retryable: true })
            commits += 1
            return answer
          }),
      })
      const process = runIndex(chain, {
        ...running,
        store: mortal(running.store),
        openStore: async (file) => mortal(await openStore({ file })),
        eventsAtOnce: 1,
      })
      while (!isKilled && !isDone) {
        await pause(1, new AbortController().signal)
        isDone = await isWhole(chain, process, running)
      }
      await process.stop()
      kills += isKilled ? 1 : 0
      const pools = await listPoolAddresses(running.store.read)
      scopes.add(`${pools.includes(poolOf(1))} ${pools.includes(poolOf(4))}`)
    }
    // One pool came after the other, and a process was killed in between.
    expect(scopes.size).toBe(3)
    // Mostly 21: on a busy machine what is waiting by then goes into one commit.
    expect(kills).toBeGreaterThan(10)
    expect(await dumpIndex(running.store)).toEqual(await dumpFromScratch(chain, engine, running.listed.tokens))
  })

  it('is whole after reorgs at any time while it is read, added and valued', { timeout: 120_000 }, async () => {
    const cutWith = new Set<boolean>()
    for (const [commitsBefore, depth] of [
      [1, 3],
      [3, 9],
      [6, 20],
      [8, 5],
      [10, 9],
      [11, 2],
      [12, 30],
      [14, 4],
      [20, 12],
    ] as const) {
      const chain = newChain()
      const { running, server } = await begin(chain, engine)
      await server.stop()
      let commits = 0
      const gate = Promise.withResolvers<void>()
      const counted = (store: Store): Store => ({
        ...store,
        write: async (work) => {
          const answer = await store.write(work)
          commits += 1
          if (commits !== commitsBefore) return answer
          cutWith.add((await listPoolAddresses(running.store.read)).includes(poolOf(1)))
          chain.cut(depth)
          mineSome(chain, { blocks: depth + 3, seed: depth, secondsLater: 500 })
          gate.resolve()
          return answer
        },
      })
      running.listed.tokens = new Set([first, second])
      const next = runIndex(chain, {
        ...running,
        store: counted(running.store),
        openStore: async (file) => counted(await openStore({ file })),
        eventsAtOnce: 1,
      })
      await gate.promise
      await untilWhole(chain, next, running)
      await next.stop()
      expect(await dumpIndex(running.store), `${depth} blocks after ${commitsBefore} commits`).toEqual(
        await dumpFromScratch(chain, engine, running.listed.tokens),
      )
    }
    expect(cutWith).toEqual(new Set([false, true]))
  })

  it('has its pools right, and the next ones that are made, before any block is valued again', async () => {
    const chain = newChain()
    const { running, server } = await begin(chain, engine)
    await server.stop()
    running.listed.tokens = new Set([first, second])
    const next = runIndex(chain, { ...running, isValuing: false })
    while ((next.seen.scope?.unvalued.size ?? 0) === 0) await pause(1, new AbortController().signal)
    // An hour later: what the pools were comes from the hours before.
    chain.mine([poolEvent(1, 0, 50), poolEvent(1, 5, 77), ...poolCreated(7), poolEvent(7, 0, 20)], 4_000)
    await untilSynced(chain, next.follower)
    await next.stop()
    const wanted = await dumpFromScratch(chain, engine, running.listed.tokens)
    const withoutDollars = ({ pools }: typeof wanted) =>
      pools.map(({ tvl_usd, total_volume_usd, total_fees_usd, collected_usd, ...pool }) => pool)
    const mine = await dumpIndex(running.store)
    expect(withoutDollars(mine)).toEqual(withoutDollars(wanted))
    expect(mine.pools.map(({ address }) => address)).toContain(poolOf(7))
    expect(mine.ticks).toEqual(wanted.ticks)
    const last = runIndex(chain, running)
    await untilWhole(chain, last, running)
    await last.stop()
    expect(await dumpIndex(running.store)).toEqual(wanted)
  })

  it('comes while blocks are being valued again for another reason', async () => {
    const chain = newChain()
    const { running, server } = await begin(chain, engine)
    await server.stop()
    await falsifyDollars(running.store, 0)
    running.listed.tokens = new Set([first, second])
    const holder: WorldHolder = { world: undefined }
    const deps = { store: running.store, valuation: scopeOf(undefined).valuation, holder, isOurs: () => true }
    let hours = 0
    // An hour after each commit: between two pools that come, too.
    const store: Store = {
      ...running.store,
      write: async (work) => {
        const answer = await running.store.write(work)
        hours += (await revalueHour(deps)) ? 1 : 0
        return answer
      },
    }
    for (let hour = 0; hour < 3; hour += 1) await revalueHour(deps)
    const next = runIndex(chain, { ...running, store, holder, isValuing: false, eventsAtOnce: 1 })
    while ((next.seen.scope?.unvalued.size ?? 0) === 0) await pause(1, new AbortController().signal)
    await next.stop()
    expect(hours).toBeGreaterThanOrEqual(3)
    while (await revalueHour(deps));
    const last = runIndex(chain, running)
    await untilWhole(chain, last, running)
    await last.stop()
    expect(await dumpIndex(running.store)).toEqual(await dumpFromScratch(chain, engine, running.listed.tokens))
  })

  it('does not come from a node that is on another branch', async () => {
    const [chain, other] = [newChain(), newChain()]
    const { running, server } = await begin(chain, engine)
    await server.stop()
    chain.mine([poolEvent(1, 5, 77)])
    other.mine([poolEvent(1, 5, 78), poolEvent(1, 5, 79)])
    running.listed.tokens = new Set([first, second])
    let side = other
    let looks = 0
    const switching: Chain = {
      ...chain,
      readHead: () => {
        looks += 1
        return side.readHead()
      },
      readHeader: (number) => side.readHeader(number),
      readHeaderOfEach: (number) => side.readHeaderOfEach(number),
      readRange: (request) => side.readRange(request),
      readHistory: (request) => side.readHistory(request),
    }
    // Every wait of the main index is a chance to join, once the other one is at the head of its branch.
    let waits = 0
    const next = runIndex({ ...chain, readHead: () => chain.readHead().finally(() => (waits += 1)) }, running, switching)
    while (looks < 40) await pause(1, new AbortController().signal)
    const since = waits
    while (waits < since + 40) await pause(1, new AbortController().signal)
    expect(await listPoolAddresses(running.store.read)).not.toContain(poolOf(1))
    side = chain
    await untilWhole(chain, next, running)
    await next.stop()
    expect(await dumpIndex(running.store)).toEqual(await dumpFromScratch(chain, engine, running.listed.tokens))
  })
})
