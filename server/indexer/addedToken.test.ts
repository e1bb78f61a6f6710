import { type Address, Failure, type FailureCode } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import { pause } from '../pause.ts'
import { openStore } from '../store/openStore.ts'
import { listPoolAddresses } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, poolOf, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { isWhole, type Listed, newFolder, runIndex, scopeOf, untilWhole } from '../testing/growingScope.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'

// What may go wrong while a token is added to an index of two days. Pools 0, 2 and 3 have the first token; 1 and 4 the other two alone.

const stores = createTempStores()
const [first, second, third] = tokens as [Address, Address, Address]
const poolless = `0x${'44'.repeat(20)}` as Address

function twoDays(swapsOfPool1 = 0): FakeChain {
  const chain = new FakeChain()
  // A commit for each of them.
  chain.joinsRanges = false
  for (const address of [...tokens, poolless])
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1), poolEvent(0, 0, 300), poolEvent(1, 0, 200), poolEvent(0, 5, 20)])
  mineSome(chain, { blocks: 25, seed: 4, secondsLater: 4_000 })
  for (let i = 0; i < swapsOfPool1; i += 10)
    chain.mine(
      Array.from({ length: 10 }, (_, n) => poolEvent(1, 5, 1 + ((i + n) % 300))),
      200,
    )
  chain.mine([...poolCreated(4), poolEvent(4, 0, 90), poolEvent(4, 5, 33)], 3_000)
  mineSome(chain, { blocks: 25, seed: 9, secondsLater: 3_000 })
  return chain
}

async function dumpFromScratch(chain: FakeChain, engine: Store['engine'], listed: ReadonlySet<Address> | undefined) {
  const store = await stores.openNew(engine)
  const follower = follow(chain, store, { factory, confirmations: 6, spanMax: 7, scope: scopeOf(listed) })
  await untilSynced(chain, follower)
  await follower.stop()
  return dumpIndex(store)
}

/** An index of the first token's pools. */
async function begin(chain: FakeChain, engine: Store['engine']) {
  const running = {
    store: await stores.openNew(engine),
    listed: { tokens: new Set([first]) } as Listed,
    folder: newFolder(stores.dir),
  }
  const server = runIndex(chain, running)
  await untilWhole(chain, server, running)
  await server.stop()
  return running
}

const soon = () => pause(1, new AbortController().signal)
type Server = ReturnType<typeof runIndex>

/** Of which every range after the first waits for its word. */
function holding(chain: FakeChain) {
  const state = { isOpen: false, waiting: 0 }
  const held: Chain = {
    ...chain,
    async *readHistory(request) {
      let ranges = 0
      for await (const range of chain.readHistory(request)) {
        ranges += 1
        state.waiting += ranges > 1 ? 1 : 0
        while (ranges > 1 && !state.isOpen && !request.signal?.aborted) await soon()
        yield range
      }
    },
  }
  return { held, state }
}

/** A node that fails in these ways, one after the other, each time a range of history is read; then it is well. */
function troubled(chain: FakeChain, codes: readonly FailureCode[]) {
  const left = [...codes]
  const seen: FailureCode[] = []
  const fail = () => {
    const code = left.shift()
    if (!code) return
    seen.push(code)
    throw new Failure(code, 'trouble', { retryable: true, detail: code === 'rpc-rate-limited' ? { retryAfterMs: 5 } : {} })
  }
  const node: Chain = {
    ...chain,
    readHead: async () => {
      if (seen.length % 3 === 2) fail()
      return chain.readHead()
    },
    readRange: async (request) => {
      fail()
      return chain.readRange(request)
    },
    async *readHistory(request) {
      for await (const range of chain.readHistory(request)) {
        yield range
        fail()
      }
    },
  }
  return { node, seen }
}

describe.each(engines)('a token that is being added to an index (%s)', (engine) => {
  it('is right in the end when the node fails, limits and is too narrow again and again, and the rest is followed all the time', async () => {
    const chain = twoDays()
    const running = await begin(chain, engine)
    running.listed.tokens = new Set([first, second])
    const codes = ['rpc-unavailable', 'rpc-rate-limited', 'rpc-range-too-wide', 'rpc-invalid'] as const
    const { node, seen } = troubled(
      chain,
      Array.from({ length: 24 }, (_, i) => codes[i % 4] as FailureCode),
    )
    const server = runIndex(chain, running, node)
    while (seen.length < 4) await soon()
    // Nobody waits for it.
    chain.mine([poolEvent(0, 5, 12)])
    await untilSynced(chain, server.follower)
    expect(server.follower.status().trouble).toBeUndefined()
    await untilWhole(chain, server, running)
    await server.stop()
    expect(seen.length).toBe(24)
    expect(await dumpIndex(running.store)).toEqual(await dumpFromScratch(chain, engine, running.listed.tokens))
  })

  it('is dropped when it is removed in the middle, and another one that is added then comes instead', async () => {
    const chain = twoDays()
    const running = await begin(chain, engine)
    const { held, state } = holding(chain)
    running.listed.tokens = new Set([first, second])
    const server = runIndex(chain, running, held)
    while (state.waiting === 0) await soon()
    running.listed.tokens = new Set([first, third])
    state.isOpen = true
    await untilWhole(chain, server, running)
    await server.stop()
    expect(await dumpIndex(running.store)).toEqual(await dumpFromScratch(chain, engine, running.listed.tokens))
    expect((await dumpIndex(running.store)).scopeTokens.map(({ token }) => token)).toEqual([first, third])
  })

  it('is joined by another one that is added in the middle', async () => {
    const chain = twoDays()
    const running = await begin(chain, engine)
    const { held, state } = holding(chain)
    running.listed.tokens = new Set([first, second])
    const server = runIndex(chain, running, held)
    while (state.waiting === 0) await soon()
    running.listed.tokens = new Set([first, second, poolless, third])
    state.isOpen = true
    await untilWhole(chain, server, running)
    await server.stop()
    expect(await dumpIndex(running.store)).toEqual(await dumpFromScratch(chain, engine, running.listed.tokens))
  })

  it('is there with its figures when it has no pool at all', async () => {
    const chain = twoDays()
    const running = await begin(chain, engine)
    running.listed.tokens = new Set([first, poolless])
    const server = runIndex(chain, running)
    await untilWhole(chain, server, running)
    await server.stop()
    expect(server.seen.scope?.tokens).toEqual(new Set([first, poolless]))
    expect(await dumpIndex(running.store)).toEqual(await dumpFromScratch(chain, engine, running.listed.tokens))
  })

  it('is right when its pools have nearly all swaps that there are, each pool in one transaction', async () => {
    const chain = twoDays(1_500)
    const running = await begin(chain, engine)
    const before = (await dumpIndex(running.store)).swaps.length
    running.listed.tokens = new Set([first, second])
    const server = runIndex(chain, { ...running, eventsAtOnce: 100 })
    await untilWhole(chain, server, running)
    await server.stop()
    const wanted = await dumpFromScratch(chain, engine, running.listed.tokens)
    expect(wanted.swaps.length).toBeGreaterThan(20 * before)
    expect(await dumpIndex(running.store)).toEqual(wanted)
  })

  it('has its newest hours before the older ones, and whatever is killed after any commit, all in the end', {
    timeout: 240_000,
  }, async () => {
    const chain = twoDays()
    const running = await begin(chain, engine)
    running.listed.tokens = new Set([first, second])
    const holds: string[] = []
    const note = ({ seen: { scope } }: Server) => {
      const hold = !scope?.tokens?.has(second) ? 'none' : scope.newestValued.has(second) ? 'newest' : 'all'
      const now = hold === 'all' && scope?.unvalued.has(second) ? 'pools' : hold
      if (scope && holds.at(-1) !== now) holds.push(now)
    }
    let kills = 0
    for (let isDone = false; !isDone && kills < 800; ) {
      let [commits, isKilled] = [0, false]
      const mortal = (store: Store): Store => ({
        ...store,
        write: (work) =>
          store.write(async (tx) => {
            const answer = await work(tx)
            // Late enough at times: the newest hours begin again in every process.
            isKilled ||= commits === 1 + ((5 * kills) % 29)
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
        await soon()
        note(process)
        isDone = await isWhole(chain, process, running)
      }
      await process.stop()
      kills += isKilled ? 1 : 0
    }
    // What was there is there after a restart, too: nothing goes back.
    expect(holds).toEqual(['none', 'pools', 'newest', 'all'])
    expect(kills).toBeGreaterThan(3)
    expect(await listPoolAddresses(running.store.read)).toContain(poolOf(1))
    expect(await dumpIndex(running.store)).toEqual(await dumpFromScratch(chain, engine, running.listed.tokens))
  })
})
