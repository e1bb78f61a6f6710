import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { insertPoolEvents } from './poolEvents.ts'
import { emptyPoolState } from './poolState.ts'
import { type Pool, upsertPools } from './pools.ts'
import type { Store } from './store.ts'
import {
  deleteSwapsAfter,
  insertSwaps,
  listLastSwapTimes,
  listNewestSwaps,
  listPoolsTradedAfter,
  listPricesAt,
  listSwapsBetween,
  listSwapsIn,
  listTradedDollars,
  listValuedSwapsOf,
  type Swap,
  updateSwapDollars,
} from './swaps.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [a, b, c] = [address('a1'), address('a2'), address('a3')]

/** In block n at second 10 n; the price is what is given. */
const swap = (blockNumber: number, pool: Address, price = 1n, facts: Partial<Swap> = {}): Swap => ({
  ...{ kind: 'swap', blockNumber, logIndex: 0, pool, txHash: `0x${'c1'.repeat(32)}` as Hex, timestampSeconds: 10 * blockNumber },
  ...{ sender: address('77'), recipient: address('78'), amount0: 5n, amount1: -(2n ** 255n), sqrtPriceX96: price },
  ...{ liquidity: 2n ** 127n, tick: -887_272 },
  ...facts,
})

const pool = (own: Address, facts: Partial<Pool> = {}): Pool => ({
  ...{ ...emptyPoolState, address: own, token0: address('10'), token1: address('50'), fee: 3_000, tickSpacing: 60, tick: 0 },
  ...{ createdBlock: 1, createdAtSeconds: 10, firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined },
  ...{ depth0: 0n, depth1: 0n, reach: undefined },
  ...facts,
})

describe.each(engines)('swaps on %s', (engine) => {
  const fill = async (swaps: readonly Swap[], values: ReadonlyMap<string, bigint> = new Map()): Promise<Store> => {
    const store = await stores.openNew(engine)
    await store.write((tx) => insertSwaps(tx, swaps, values))
    return store
  }
  const places = (swaps: readonly Swap[]) => swaps.map(({ blockNumber, logIndex }) => [blockNumber, logIndex])

  it('are read back with every digit, and with their dollars where they had any', async () => {
    const [first, second] = [swap(3, a), swap(3, a, 2n ** 160n - 1n, { logIndex: 7 })]
    const store = await fill([first, second], new Map([['3:7', 10n ** 70n]]))
    expect(await listNewestSwaps(store.read, a, 9)).toEqual([
      { ...second, usdE18: 10n ** 70n },
      { ...first, usdE18: 0n },
    ])
    await store.write((tx) => updateSwapDollars(tx, [{ ...first, amount0: 99n }], new Map([['3:0', 4n]])))
    // Its dollars and nothing else.
    expect((await listNewestSwaps(store.read, a, 9))[1]).toEqual({ ...first, usdE18: 4n })
  })

  it('are those of a span: the times that they say, and no block beyond', async () => {
    const store = await fill([1, 2, 3, 4, 5].map((n) => swap(n, n === 4 ? b : a)))
    expect(places(await listSwapsBetween(store.read, { fromSeconds: 20, toSeconds: 50, toBlock: 9 }))).toEqual([
      [2, 0],
      [3, 0],
      [4, 0],
    ])
    expect(places(await listSwapsBetween(store.read, { fromSeconds: 20, toBlock: 3 }))).toEqual([
      [2, 0],
      [3, 0],
    ])
    expect(places(await listSwapsIn(store.read, { fromBlock: 2, toBlock: 4, pool: a }))).toEqual([
      [2, 0],
      [3, 0],
    ])
    expect(places(await listSwapsIn(store.read, { fromBlock: 4, toBlock: 5 }))).toEqual([
      [4, 0],
      [5, 0],
    ])
    const valued = { pool: a, afterSeconds: 10, toSeconds: 50, toBlock: 9 }
    expect(places(await listValuedSwapsOf(store.read, valued, 9))).toEqual([
      [2, 0],
      [3, 0],
      [5, 0],
    ])
    expect(places(await listValuedSwapsOf(store.read, valued, 1))).toEqual([[2, 0]])
    const dollars = await listTradedDollars(store.read, { fromSeconds: 10, toSeconds: 30 })
    expect(dollars).toEqual([{ pool: a, atSeconds: 20, usdE18: 0n }])
  })

  it('of a dead branch go, and their pools are named before', async () => {
    const store = await fill([swap(1, c), swap(2, a), swap(3, b), swap(3, a, 1n, { logIndex: 1 })])
    expect((await listPoolsTradedAfter(store.read, 1)).sort()).toEqual([a, b])
    expect(await listPoolsTradedAfter(store.read, 3)).toEqual([])
    await store.write((tx) => deleteSwapsAfter(tx, 2))
    expect(places(await listSwapsBetween(store.read, { fromSeconds: 0, toBlock: 9 }))).toEqual([
      [1, 0],
      [2, 0],
    ])
  })

  it('of one block and log are one: the second one is refused, and nothing of its transaction stays', async () => {
    const store = await fill([swap(1, a)])
    const again = store.write((tx) => insertSwaps(tx, [swap(2, a), swap(1, b)], new Map()))
    await expect(again).rejects.toThrow()
    expect(places(await listSwapsIn(store.read, { fromBlock: 0, toBlock: 9 }))).toEqual([[1, 0]])
  })

  it('say when each pool was last traded before a moment', async () => {
    const store = await fill([swap(1, a), swap(4, a), swap(4, b, 1n, { logIndex: 1 })])
    await store.write((tx) => upsertPools(tx, [pool(a), pool(b), pool(c)]))
    expect(await listLastSwapTimes(store.read, 40)).toEqual(new Map([[a, 10]]))
    expect(await listLastSwapTimes(store.read, 41)).toEqual(
      new Map([
        [a, 40],
        [b, 40],
      ]),
    )
  })

  it('say what each pool cost at a moment: after its last swap, else as it was opened', async () => {
    const store = await fill([swap(3, a, 30n), swap(3, a, 31n, { logIndex: 2 }), swap(6, a, 60n), swap(2, c, 20n)])
    const opening = (own: Address, price: bigint) => ({
      ...swap(1, own),
      ...{ kind: 'initialize' as const, logIndex: own === a ? 0 : own === b ? 1 : 2, sqrtPriceX96: price },
    })
    await store.write(async (tx) => {
      await insertPoolEvents(tx, [opening(a, 1n), opening(b, 2n), opening(c, 3n)], new Map())
      // The last one has been quiet since: its price of now is that of then.
      const quiet = { sqrtPriceX96: 999n, lastSwapAtSeconds: 20 }
      const unopened = pool(address('a4'), { tick: undefined })
      await upsertPools(tx, [pool(a, { lastSwapAtSeconds: 60 }), pool(b), pool(c, quiet), unopened])
    })
    const at = async (seconds: number) => Object.fromEntries(await listPricesAt(store.read, seconds))
    expect(await at(9)).toEqual({})
    expect(await at(10)).toEqual({ [a]: 1n, [b]: 2n, [c]: 3n })
    expect(await at(30)).toEqual({ [a]: 31n, [b]: 2n, [c]: 999n })
    expect(await at(59)).toEqual({ [a]: 31n, [b]: 2n, [c]: 999n })
  })
})
