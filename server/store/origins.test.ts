import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import {
  deleteOldOrigins,
  findTickBefore,
  insertOrigins,
  listPositionChanges,
  listTrades,
  type Place,
  placeAfter,
} from './origins.ts'
import { insertPoolEvents, type PoolEvent } from './poolEvents.ts'
import { insertSwaps, type Swap } from './swaps.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [pool, other, trader, signer] = [address('a1'), address('a2'), address('77'), address('99')]
const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
/** Blocks 10 and 11 are of the same second. */
const times = new Map([
  [9, 100],
  [10, 112],
  [11, 112],
  [12, 124],
])
const place = (blockNumber: number, logIndex: number, own = pool) => ({
  ...{ blockNumber, logIndex, pool: own, txHash: hash(100 * blockNumber + logIndex) },
  ...{ timestampSeconds: times.get(blockNumber) ?? 0 },
})
const swap = (blockNumber: number, logIndex: number, tick: number, own = pool): Swap => ({
  ...{ ...place(blockNumber, logIndex, own), kind: 'swap', sender: address('78'), recipient: trader },
  ...{ amount0: -1n, amount1: 2n, sqrtPriceX96: 1n, liquidity: 1n, tick },
})
const change = (blockNumber: number, logIndex: number, kind: 'mint' | 'burn' | 'collect', amount: bigint): PoolEvent => ({
  ...{ ...place(blockNumber, logIndex), kind, owner: trader, tickLower: -60, tickUpper: 60, amount: amount },
  ...{ amount0: 1n, amount1: 1n, sender: kind === 'mint' ? address('78') : undefined },
})

describe.each(engines)('who signed transactions on %s', (engine) => {
  const beginning: Place = { timestampSeconds: 0, blockNumber: 0, logIndex: 0 }
  const filled = async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      const opening: PoolEvent = { ...place(9, 0), kind: 'initialize', sqrtPriceX96: 1n, tick: 7 }
      await insertPoolEvents(
        tx,
        [opening, change(9, 1, 'mint', 50n), change(10, 1, 'burn', 0n), change(11, 1, 'collect', 9n), change(12, 1, 'burn', 20n)],
        new Map([['12:1', 33n]]),
      )
      const swaps = [swap(10, 2, -10), swap(10, 3, 20, other), swap(11, 0, -11), swap(11, 2, -12), swap(12, 0, -13)]
      await insertSwaps(tx, swaps, new Map([['11:2', 44n]]))
      await insertOrigins(tx, [
        { txHash: hash(1_102), origin: signer, timestampSeconds: 112, hasLiquidity: false },
        { txHash: hash(901), origin: signer, timestampSeconds: 100, hasLiquidity: true },
      ])
    })
    return store
  }

  it('is shown with the swaps of a pool, in the order of the chain, and is open where it is not known', async () => {
    const store = await filled()
    const trades = await listTrades(store.read, { pool, after: beginning, limit: 9 })
    expect(trades.map(({ blockNumber, logIndex, origin }) => [blockNumber, logIndex, origin])).toEqual([
      [10, 2, undefined],
      [11, 0, undefined],
      [11, 2, signer],
      [12, 0, undefined],
    ])
    expect(trades[2]).toEqual({
      ...{ blockNumber: 11, logIndex: 2, txHash: hash(1_102), timestampSeconds: 112, origin: signer, sender: address('78') },
      ...{ recipient: trader, amount0: -1n, amount1: 2n, usdE18: 44n, tick: -12 },
    })
  })

  it('continues behind a place: by time, then by block, then by log', async () => {
    const store = await filled()
    const behind = async (after: Place) =>
      (await listTrades(store.read, { pool, after, limit: 2 })).map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`)
    expect(await behind({ timestampSeconds: 112, blockNumber: 10, logIndex: 1 })).toEqual(['10:2', '11:0'])
    expect(await behind({ timestampSeconds: 112, blockNumber: 10, logIndex: 2 })).toEqual(['11:0', '11:2'])
    expect(await behind({ timestampSeconds: 112, blockNumber: 11, logIndex: 0 })).toEqual(['11:2', '12:0'])
    expect(await behind(placeAfter(112))).toEqual(['12:0'])
    expect(await behind(placeAfter(124))).toEqual([])
  })

  it('is shown with changes of liquidity, but for burns of nothing and for what is paid out', async () => {
    const store = await filled()
    expect(await listPositionChanges(store.read, { pool, after: beginning, limit: 9 })).toEqual([
      {
        ...{ blockNumber: 9, logIndex: 1, txHash: hash(901), timestampSeconds: 100, origin: signer },
        ...{ owner: trader, sender: address('78'), tickLower: -60, tickUpper: 60, delta: 50n, usdE18: 0n },
      },
      {
        ...{ blockNumber: 12, logIndex: 1, txHash: hash(1_201), timestampSeconds: 124, origin: undefined },
        ...{ owner: trader, sender: undefined, tickLower: -60, tickUpper: 60, delta: -20n, usdE18: 33n },
      },
    ])
  })

  it('finds the tick before a swap: that of the swap before, else the one of the opening', async () => {
    const store = await filled()
    const before = (blockNumber: number, logIndex: number, own = pool) =>
      findTickBefore(store.read, own, { timestampSeconds: times.get(blockNumber) ?? 0, blockNumber, logIndex })
    expect(await before(12, 0)).toBe(-12)
    expect(await before(11, 2)).toBe(-11)
    expect(await before(11, 0)).toBe(-10)
    expect(await before(10, 2)).toBe(7)
    expect(await before(10, 3, other)).toBeUndefined()
  })

  it('is kept once for a transaction, and forgotten a while after one that only traded', async () => {
    const store = await filled()
    const again = { txHash: hash(901), origin: trader, timestampSeconds: 100, hasLiquidity: false }
    await store.write((tx) => insertOrigins(tx, [again]))
    const list = async () =>
      (await store.read.selectFrom('origins').select(['tx_hash', 'origin']).orderBy('timestamp').execute()).map((row) => [
        row.tx_hash,
        row.origin,
      ])
    await store.write((tx) => deleteOldOrigins(tx, 112))
    expect(await list()).toEqual([
      [hash(901), signer],
      [hash(1_102), signer],
    ])
    await store.write((tx) => deleteOldOrigins(tx, 113))
    expect(await list()).toEqual([[hash(901), signer]])
  })
})
