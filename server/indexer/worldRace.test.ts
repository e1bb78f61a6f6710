import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { ChainRange } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import { putScope } from '../store/indexScope.ts'
import type { Store } from '../store/store.ts'
import { findCursor, setCursor } from '../store/syncCursor.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, mineSome, poolCreated, poolEvent, tokens } from '../testing/fakeExchange.ts'
import { falsifyDollars } from '../testing/falsify.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { indexedTopics } from './decodeLog.ts'
import type { IndexScope } from './indexScope.ts'
import { revalueHour } from './revalue.ts'
import { toStoredScope } from './settleScope.ts'
import { storeRange } from './storeRange.ts'
import { forgetWorld, holdWorld, type WorldHolder } from './worldHolder.ts'

const stores = createTempStores()
const valuation = {
  stables: [tokens[0] as Address, tokens[2] as Address],
  ...{ wrappedNative: tokens[1] as Address, quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 },
}
const scope: IndexScope = { factory, onlyTokens: undefined, valuation }
const ranges = 21
/** How many of them are stored before blocks are valued again. */
const before = 12

async function build(engine: Store['engine'], isRaced: boolean) {
  const chain = new FakeChain()
  chain.joinsRanges = false
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1), poolEvent(0, 0, 300), poolEvent(1, 0, 200)])
  mineSome(chain, { blocks: 10 * ranges - 1, seed: 3, secondsLater: 600 })
  const own = await stores.openNew(engine)
  await own.write(async (tx) => {
    await setCursor(tx, { identity: 'test', block: undefined })
    await putScope(tx, toStoredScope(scope))
  })
  const holder: WorldHolder = { world: undefined }
  const revalueAll = async () => {
    while (await revalueHour({ store: own, valuation, holder, isOurs: () => true }));
  }
  /** A long reading of the store: all hours are valued meanwhile. */
  const slow: Store = {
    ...own,
    readConsistently: async (work) => {
      const read = await own.readConsistently(work)
      await revalueAll()
      return read
    },
  }
  const put = async (range: ChainRange, store: Store) =>
    storeRange({ chain, store, scope, identity: 'test', holder }, range, (await findCursor(own.read))?.block)
  let place = 0
  const { signal } = new AbortController()
  const wanted = { topics: indexedTopics, order: 'up', spanMax: 10, signal } as const
  for await (const range of chain.readHistory({ ...wanted, from: 0, to: chain.height })) {
    const isNow = isRaced && place === before
    if (isNow) {
      await falsifyDollars(own, 0)
      // As after a start, or when a range was refused.
      forgetWorld(holder)
    }
    await put(range, isNow ? slow : own)
    place += 1
  }
  expect(place).toBeGreaterThan(before)
  return dumpIndex(own)
}

it.each(engines)('a world that is read while blocks are valued again has their new dollars (%s)', async (engine) => {
  expect(await build(engine, true)).toEqual(await build(engine, false))
})

it('a world that is read while something else comes into the store, as added pools do, is read again', async () => {
  const chain = new FakeChain()
  chain.mine([...poolCreated(0), poolEvent(0, 0, 300)])
  const own = await stores.openNew('sqlite')
  await own.write(async (tx) => {
    await setCursor(tx, { identity: 'test', block: await chain.readHeader(1) })
    await putScope(tx, toStoredScope(scope))
  })
  const holder: WorldHolder = { world: undefined }
  let readings = 0
  const slow: Store = {
    ...own,
    readConsistently: async (work) => {
      const read = await own.readConsistently(work)
      readings += 1
      if (readings === 1) forgetWorld(holder)
      return read
    },
  }
  expect(await holdWorld({ store: slow, scope, holder }, await chain.readHeader(1))).toBeDefined()
  expect(readings).toBe(2)
})
