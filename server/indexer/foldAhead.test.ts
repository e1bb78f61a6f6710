import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { ChainRange } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import type { Store, Tx } from '../store/store.ts'
import { findCursor, setCursor } from '../store/syncCursor.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, mineSome, poolCreated, poolEvent, tokens } from '../testing/fakeExchange.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { indexedTopics } from './decodeLog.ts'
import type { IndexScope } from './indexScope.ts'
import { storeRange } from './storeRange.ts'
import { forgetNext, type WorldHolder } from './worldHolder.ts'

const stores = createTempStores()

const valuation = {
  stables: [tokens[0] as Address, tokens[2] as Address],
  ...{ wrappedNative: tokens[1] as Address, quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 },
}
const scope: IndexScope = { factory, onlyTokens: undefined, valuation }

/** A chain of 200 blocks in ranges of ten. Pools and tokens appear on the way. */
async function readRanges() {
  const chain = new FakeChain()
  chain.joinsRanges = false
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1), poolEvent(0, 0, 300), poolEvent(1, 0, 200)])
  mineSome(chain, { blocks: 200, seed: 3 })
  const ranges: ChainRange[] = []
  const { signal } = new AbortController()
  const wanted = { topics: indexedTopics, order: 'up', spanMax: 10, signal } as const
  for await (const range of chain.readHistory({ ...wanted, from: 0, to: chain.height })) ranges.push(range)
  return { chain, ranges }
}

type Steps = {
  /** Absent: nothing is folded ahead. */
  readonly isAhead?: boolean
  /** Before the range of that place is stored. */
  readonly before?: (place: number, holder: WorldHolder) => void
  readonly store?: (store: Store, holder: WorldHolder) => Store
}

/** An index of the ranges, each tried until it is stored. */
async function build({ isAhead = true, before, store: wrap }: Steps) {
  const { chain, ranges } = await readRanges()
  const own = await stores.openNew('sqlite')
  await own.write((tx) => setCursor(tx, { identity: 'test', block: undefined }))
  const holder: WorldHolder = { world: undefined }
  const store = wrap?.(own, holder) ?? own
  let failures = 0
  for (const [place, range] of ranges.entries()) {
    before?.(place, holder)
    const upcoming = isAhead ? async () => ranges[place + 1] : undefined
    const put = async () => {
      const cursor = (await findCursor(own.read))?.block
      return storeRange({ chain, store, scope, identity: 'test', holder, upcoming }, range, cursor)
    }
    await put().catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'the disk is full') throw error
      failures += 1
      return put()
    })
  }
  return { rows: await dumpIndex(own), failures, holder }
}

describe('a range that is folded while the one before is written', () => {
  it('makes the same index', async () => {
    const foldedAhead: boolean[] = []
    const ahead = await build({
      before: (place, { next }) => {
        if (place > 0) foldedAhead.push(next !== undefined)
      },
    })
    expect(new Set(foldedAhead)).toEqual(new Set([true]))
    expect(ahead.rows).toEqual((await build({ isAhead: false })).rows)
  })

  it('is folded again when the one before could not be written', async () => {
    const failing = (store: Store): Store => {
      let writes = 0
      const write = <T>(work: (tx: Tx) => Promise<T>) =>
        store.write(async (tx) => {
          const done = await work(tx)
          writes += 1
          if (writes % 5 === 0) throw new Error('the disk is full')
          return done
        })
      return { ...store, write }
    }
    const { rows, failures } = await build({ store: failing })
    expect(failures).toBe(5)
    expect(rows).toEqual((await build({ isAhead: false })).rows)
  })

  it('is folded again when blocks before it were valued again meanwhile', async () => {
    const revalued = await build({
      before: (place, holder) => {
        if (place % 3 === 2) holder.world = undefined
      },
    })
    expect(revalued.rows).toEqual((await build({ isAhead: false })).rows)
  })

  it('is folded again when another step came between', async () => {
    const forgotten = await build({
      before: (place, holder) => {
        if (place % 4 === 3) forgetNext(holder)
      },
    })
    expect(forgotten.rows).toEqual((await build({ isAhead: false })).rows)
  })
})
