import type { Address } from '@chainboard/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { findPriceAt, listMediansAt, listMediansOf, mediansOf, readPastPrices } from './pastMedians.ts'
import { insertPoolEvents } from './poolEvents.ts'
import { findLastMoveBefore, listPoolMoves } from './poolMoves.ts'
import { emptyPoolState } from './poolState.ts'
import { type Pool, upsertPools } from './pools.ts'
import type { Store } from './store.ts'
import { insertSwaps, type Swap } from './swaps.ts'
import { listPoolTrades } from './tokenTrades.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [a, b, never, trader] = [address('a1'), address('a2'), address('a9'), address('77')]

/** In block n at second 10 n; the price is what is given. */
const swap = (blockNumber: number, pool: Address, price: bigint, facts: Partial<Swap> = {}): Swap => ({
  ...{ kind: 'swap', blockNumber, logIndex: 0, pool, txHash: '0x1', timestampSeconds: 10 * blockNumber },
  ...{ sender: trader, recipient: trader, amount0: -3n, amount1: 2n ** 200n, sqrtPriceX96: price, liquidity: 1n, tick: 0 },
  ...facts,
})

const pool = (own: Address): Pool => ({
  ...{ ...emptyPoolState, address: own, token0: address('10'), token1: address('50'), fee: 3_000, tickSpacing: 60, tick: 0 },
  ...{ createdBlock: 1, createdAtSeconds: 10, firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined },
  ...{ depth0: 0n, depth1: 0n, reach: undefined },
})

describe('the median of a window, by the time that each price lasted', () => {
  const change = (atSeconds: number, sqrtPriceX96: bigint) => ({ atSeconds, sqrtPriceX96 })
  const window = { nowSeconds: 100, windowSeconds: 60 }

  it('is the price before the window where nothing happened in it, and the last one of before counts', () => {
    const past = { first: new Map([[a, 5n]]), changes: new Map([[a, [change(30, 6n), change(40, 7n)]]]) }
    expect(mediansOf(past, window).get(a)).toBe(7n)
  })

  it('begins with the price before, and a short price of any size does not move it', () => {
    const past = { first: new Map([[a, 5n]]), changes: new Map([[a, [change(95, 10n ** 30n), change(98, 5n)]]]) }
    expect(mediansOf(past, window).get(a)).toBe(5n)
  })

  it('knows no change that came later, and no pool that was opened later', () => {
    const later = [change(101, 9n)]
    const past = {
      first: new Map([[a, 5n]]),
      changes: new Map([
        [a, later],
        [b, later],
      ]),
    }
    const medians = mediansOf(past, window)
    expect([a, b].map((pool) => medians.get(pool))).toEqual([5n, undefined])
  })

  it('is of the prices since it opened for a pool that was opened in the window', () => {
    expect(mediansOf({ first: new Map(), changes: new Map([[b, [change(50, 4n)]]]) }, window).get(b)).toBe(4n)
  })

  it('is of each pool by itself', () => {
    const first = new Map([
      [a, 5n],
      [b, 8n],
    ])
    const medians = mediansOf({ first, changes: new Map([[a, [change(45, 6n)]]]) }, window)
    expect([a, b].map((pool) => medians.get(pool))).toEqual([6n, 8n])
  })
})

describe.each(engines)('the past of pools on %s', (engine) => {
  let store: Store
  /** The pool a opens at second 10 and trades at 30, twice at 50 in one block, in two blocks of second 60, and at 90; b at 95. */
  beforeAll(async () => {
    store = await stores.openNew(engine)
    const opening = { ...swap(1, a, 11n), kind: 'initialize', tick: 0 } as const
    await store.write(async (tx) => {
      await upsertPools(tx, [a, b, never].map(pool))
      await insertPoolEvents(
        tx,
        [opening, { ...opening, pool: b, blockNumber: 9, logIndex: 1, timestampSeconds: 94, sqrtPriceX96: 94n }],
        new Map(),
      )
      const swaps = [
        swap(3, a, 30n),
        swap(5, a, 50n, { logIndex: 2 }),
        swap(5, a, 51n, { logIndex: 10 }),
        swap(7, a, 61n, { timestampSeconds: 60 }),
        swap(6, a, 60n),
        swap(9, a, 90n),
        swap(10, b, 2n ** 160n - 1n, { timestampSeconds: 95 }),
      ]
      await insertSwaps(tx, swaps, new Map([['9:0', 10n ** 40n]]))
    })
  })

  it('has a price from the opening on, and after a swap in its very second', async () => {
    const at = (seconds: number, pool = a) => findPriceAt(store.read, pool, seconds)
    expect([await at(9), await at(10), await at(29), await at(30)]).toEqual([undefined, 11n, 11n, 30n])
    expect(await at(99, never)).toBeUndefined()
  })

  it('has of one second the price after its last block, and of one block after its last log', async () => {
    expect([await findPriceAt(store.read, a, 50), await findPriceAt(store.read, a, 60)]).toEqual([51n, 61n])
  })

  it('keeps every digit of a price', async () => {
    expect(await findPriceAt(store.read, b, 95)).toBe(2n ** 160n - 1n)
  })

  it('lists the changes after a moment until another, each pool in the order of the chain', async () => {
    const past = await readPastPrices(store.read, { atSeconds: 50, untilSeconds: 94 })
    expect(past.first).toEqual(new Map([[a, 51n]]))
    const changesOf = (pool: Address) => past.changes.get(pool)?.map((each) => each.sqrtPriceX96)
    expect([changesOf(a), changesOf(b)]).toEqual([[60n, 61n, 90n], [94n]])
  })

  it('has the same medians of all pools at once and of each by its own rows, at every moment', async () => {
    for (const nowSeconds of [5, 10, 30, 55, 60, 90, 94, 95, 200]) {
      const window = { nowSeconds, windowSeconds: 45 }
      const [all, each] = [await listMediansAt(store.read, window), await listMediansOf(store.read, [a, b, a, never], window)]
      const read = (medians: typeof each) => [a, b, never].map((own) => medians.get(own))
      expect([nowSeconds, ...read(each)]).toEqual([nowSeconds, ...read(all)])
    }
    // 51 lasted 10 s, 61 lasted 30 s.
    expect((await listMediansOf(store.read, [a], { nowSeconds: 90, windowSeconds: 40 })).get(a)).toBe(61n)
  })

  it('lists what moved a pool in a span without its end, the newest first and no more than asked', async () => {
    const moves = async (fromSeconds: number, toSeconds: number, limit = 9) =>
      (await listPoolMoves(store.read, { pool: a, fromSeconds, toSeconds }, limit)).map(({ sqrtPriceX96 }) => sqrtPriceX96)
    expect(await moves(30, 90)).toEqual([61n, 60n, 51n, 50n, 30n])
    expect([await moves(30, 90, 2), await moves(31, 50)]).toEqual([[61n, 60n], []])
    const [newest] = await listPoolMoves(store.read, { pool: a, fromSeconds: 0, toSeconds: 99 }, 1)
    expect(newest).toEqual({ atSeconds: 90, sqrtPriceX96: 90n, volume0: 3n, volume1: 2n ** 200n, usdE18: 10n ** 40n })
  })

  it('knows when a pool last traded before a moment', async () => {
    const last = (pool: Address, before: number) => findLastMoveBefore(store.read, pool, before)
    expect([await last(a, 90), await last(a, 91), await last(a, 30), await last(never, 99)]).toEqual([
      60,
      90,
      undefined,
      undefined,
    ])
  })

  it('lists trades after a moment until another that is included, with the signs that they had', async () => {
    const trades = await listPoolTrades(store.read, { pool: a, afterSeconds: 60, toSeconds: 90 }, 9)
    expect(trades).toEqual([{ pool: a, atSeconds: 90, recipient: trader, amount0: -3n, amount1: 2n ** 200n, usdE18: 10n ** 40n }])
    expect(
      (await listPoolTrades(store.read, { pool: a, afterSeconds: 0, toSeconds: 99 }, 2)).map(({ atSeconds }) => atSeconds),
    ).toEqual([...[90, 60]])
  })
})
