import { type Address, type Hex, noDepth } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { insertBlocks } from '../../../store/blocks.ts'
import { widenScope } from '../../../store/indexScope.ts'
import { askAgain } from '../../../store/oldDollars.ts'
import { mediansOf } from '../../../store/pastMedians.ts'
import { type PoolPeriod, upsertPeriods } from '../../../store/poolPeriods.ts'
import { emptyPoolState } from '../../../store/poolState.ts'
import { upsertPools } from '../../../store/pools.ts'
import type { Store } from '../../../store/store.ts'
import { eventKey, insertSwaps, type Swap } from '../../../store/swaps.ts'
import { type TokenPeriod, upsertTokenPeriods } from '../../../store/tokenPeriods.ts'
import { emptyTokenState } from '../../../store/tokenState.ts'
import { createTempStores, engines } from '../../../testing/tempStores.ts'
import { readPoolVolumes } from '../../tradedVolume.ts'
import { createPastReader } from './indexPast.ts'

const stores = createTempStores()
const [pool, token, trader] = ['10', '20', '30'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address, Address]
const [hour, day, windowSeconds] = [3_600, 86_400, 240]
/** Half past an hour. */
const now = 10 * day + 1_800

const blockAt = (number: number, timestampSeconds: number, byte = 'aa') => ({
  ...{ number, hash: `0x${byte.repeat(32)}` as Hex, timestampSeconds },
})

const swapAt = (timestampSeconds: number, sqrtPriceX96: bigint): Swap => ({
  ...{ kind: 'swap', blockNumber: timestampSeconds, logIndex: 0, txHash: `0x${'01'.repeat(32)}`, pool, timestampSeconds },
  ...{ sender: trader, recipient: trader, amount0: 1n, amount1: -1n, sqrtPriceX96, liquidity: 1n, tick: 0 },
})

const traded = (startSeconds: number, volumeUsdE18: bigint): PoolPeriod => ({
  ...{ ...emptyPoolState, pool, startSeconds, open: 1n, high: 1n, low: 1n, volume0: 1n, volume1: 1n },
  ...{ volumeUsdE18, feesUsdE18: 0n, swapCount: 1, eventCount: 1 },
})

const trusted = (trust: number): TokenPeriod => ({
  ...{ ...emptyTokenState, token, startSeconds: now - 1_800 - 4 * hour, open: 0n, high: 0n, low: 0n },
  ...{ volume: 0n, volumeUsdE18: 0n, feesUsdE18: 0n, trust },
})

const opened = {
  ...{ ...emptyPoolState, ...noDepth, address: pool, token0: token, token1: trader, fee: 3_000, tickSpacing: 60, tick: 0 },
  ...{ createdBlock: 1, createdAtSeconds: 1, firstSwapAtSeconds: 1, lastSwapAtSeconds: now, reach: undefined },
}

describe.each(engines)('what was read of the past (%s)', (engine) => {
  it('serves the blocks after it: windows of six hours, a day and a week ago move on, and what is a day old is left out', async () => {
    const store = await stores.openNew(engine)
    const swapsAgo = (ago: number, prices: Readonly<Record<number, bigint>>) =>
      Object.entries(prices).map(([after, price]) => swapAt(now - ago + Number(after), price))
    const swaps = [
      ...swapsAgo(day, { [-500]: 100n, [-200]: 150n, [-60]: 200n, 20: 300n }),
      ...swapsAgo(6 * hour, { [-500]: 100n, [-100]: 200n, 20: 300n }),
      ...swapsAgo(7 * day, { [-500]: 100n, [-100]: 200n, 20: 300n }),
    ]
    await store.write(async (tx) => {
      await upsertPools(tx, [opened])
      await insertSwaps(tx, swaps, new Map(swaps.map((swap) => [eventKey(swap), 5n])))
      await upsertPeriods(tx, 'pool_hours', [traded(now - 1_800 - 5 * hour, 7n), traded(now - 1_800, 2n)])
      await insertBlocks(tx, [blockAt(1, now)])
    })
    const read = createPastReader(windowSeconds)
    const figuresAt = (atBlock: ReturnType<typeof blockAt>) =>
      store.readConsistently(async (tx) => {
        const past = await read(tx, store as Store, atBlock)
        const { timestampSeconds } = atBlock
        const volumes = await readPoolVolumes(tx, timestampSeconds, past.volumes)
        expect(volumes).toEqual(await readPoolVolumes(tx, timestampSeconds))
        const median = (ago: number) => ({ nowSeconds: timestampSeconds - ago, windowSeconds })
        return {
          volume: volumes.get(pool),
          dayAgo: mediansOf(past.dayAgo, median(day)).get(pool),
          weekAgo: mediansOf(past.weekAgo, median(7 * day)).get(pool),
          sixHoursAgo: mediansOf(past.recentAgo.h6, median(6 * hour)).get(pool),
        }
      })
    // A day ago 100 for 40 seconds of the window, 150 for 140, 200 for 60; a week ago 100 for 140, 200 for 100.
    expect(await figuresAt(blockAt(1, now))).toEqual({ volume: 14n, dayAgo: 150n, weekAgo: 100n, sixHoursAgo: 100n })
    await store.write((tx) => upsertPeriods(tx, 'pool_hours', [traded(now - 1_800, 3n)]))
    // 150 for 130 seconds, 200 for 80, 300 for 30; 100 for 90, 200 for 120, 300 for 30. The swap of the cut hour is over a day old.
    expect(await figuresAt(blockAt(2, now + 50))).toEqual({ volume: 10n, dayAgo: 150n, weekAgo: 200n, sixHoursAgo: 200n })
    // Nothing is left of the other prices.
    await store.write((tx) => insertBlocks(tx, [blockAt(3, now + 400)]))
    expect(await figuresAt(blockAt(3, now + 400))).toEqual({ volume: 10n, dayAgo: 300n, weekAgo: 300n, sixHoursAgo: 300n })
  })
})

it('is read again when an hour begins, a minute has passed, the chain left the block, or values or pools came', async () => {
  const store = await stores.openNew('sqlite')
  const put = (trust: number) => store.write((tx) => upsertTokenPeriods(tx, 'token_hours', [trusted(trust)]))
  const read = createPastReader(windowSeconds)
  const readAt = (atBlock: ReturnType<typeof blockAt>) =>
    store.readConsistently(async (tx) => (await read(tx, store as Store, atBlock)).lastingTrust.get(token))
  await store.write((tx) => insertBlocks(tx, [blockAt(1, now)]))
  await put(50)
  expect(await readAt(blockAt(1, now))).toBe(50)
  await put(55)
  expect(await readAt(blockAt(2, now + 60))).toBe(50)
  expect(await readAt(blockAt(3, now + 61))).toBe(55)
  // Block 3 is not in the index.
  await put(60)
  expect(await readAt(blockAt(1, now))).toBe(60)
  await put(65)
  await store.write((tx) => insertBlocks(tx, [blockAt(1, now, 'bb')]))
  expect(await readAt(blockAt(2, now + 2))).toBe(65)
  await store.write((tx) => insertBlocks(tx, [blockAt(2, now + 2)]))
  await put(70)
  await store.write((tx) => askAgain(tx, 1, 2))
  expect(await readAt(blockAt(2, now + 2))).toBe(70)
  await put(75)
  await store.write((tx) => widenScope(tx, new Set([token])))
  expect(await readAt(blockAt(2, now + 2))).toBe(75)
  await store.write((tx) => insertBlocks(tx, [blockAt(3, now + 1_799)]))
  expect(await readAt(blockAt(3, now + 1_799))).toBe(75)
  await put(80)
  expect(await readAt(blockAt(4, now + 1_799))).toBe(75)
  expect(await readAt(blockAt(5, now + 1_800))).toBe(80)
})
