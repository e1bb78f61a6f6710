import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { upsertExchangePeriods } from './exchangePeriods.ts'
import {
  findFirstEventTime,
  findFirstKept,
  findFirstOpen,
  findFirstRevaluable,
  findKeptSince,
  keepOpen,
  setKeptSince,
} from './keptSince.ts'
import {
  deleteOldExchangeHours,
  deleteOldHours,
  deleteOldSwaps,
  findLastSwapOf,
  listLastHoursOf,
  listOldHours,
  listOldSwaps,
} from './oldRows.ts'
import { insertPoolEvents } from './poolEvents.ts'
import { insertSwaps, listSwapsIn, type Swap } from './swaps.ts'
import { type TokenPeriod, upsertTokenPeriods } from './tokenPeriods.ts'
import { emptyTokenState } from './tokenState.ts'
import { findLastBlockBefore, findLastEventTime, findNextEvent } from './transactions.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [a, b] = [address('a1'), address('a2')]
const hour = 3_600

/** In block n at second 10 n. */
const swap = (blockNumber: number, logIndex: number, pool = a): Swap => ({
  ...{ kind: 'swap', blockNumber, logIndex, pool, txHash: '0xc1', timestampSeconds: 10 * blockNumber, sender: b, recipient: b },
  ...{ amount0: 1n, amount1: -1n, sqrtPriceX96: 1n, liquidity: 1n, tick: 0 },
})
const period = (token: Address, at: number, trust?: number): TokenPeriod => ({
  ...{ ...emptyTokenState, token, startSeconds: at * hour, open: 1n, high: 1n, low: 1n, volume: 0n, volumeUsdE18: 0n },
  ...{ feesUsdE18: 0n, trust },
})

describe.each(engines)('rows that are too old on %s', (engine) => {
  it('are swaps behind a place, up to a block, of which those named go', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => insertSwaps(tx, [swap(1, 0), swap(1, 5, b), swap(2, 0), swap(2, 1, b), swap(3, 0)], new Map()))
    const list = async (block: number, log: number, limit = 9) =>
      (await listOldSwaps(store.read, { after: { block, log }, toBlock: 2, limit })).map((each) => `${each.block}:${each.log}`)
    expect(await list(-1, -1)).toEqual(['1:0', '1:5', '2:0', '2:1'])
    expect(await list(1, 0)).toEqual(['1:5', '2:0', '2:1'])
    expect(await list(1, 5, 1)).toEqual(['2:0'])
    expect(await list(2, 1)).toEqual([])
    expect((await listOldSwaps(store.read, { after: { block: 0, log: 0 }, toBlock: 1, limit: 1 }))[0]?.pool).toBe(a)
    expect(await findLastSwapOf(store.read, a, 30)).toEqual({ block: 2, log: 0 })
    expect(await findLastSwapOf(store.read, a, 10)).toBeUndefined()
    await store.write((tx) =>
      deleteOldSwaps(tx, [
        { block: 1, log: 5, pool: b },
        { block: 2, log: 0, pool: a },
        { block: 9, log: 9, pool: a },
      ]),
    )
    const left = await listSwapsIn(store.read, { fromBlock: 0, toBlock: 9 })
    expect(left.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`)).toEqual(['1:0', '2:1', '3:0'])
  })

  it('are hours, those of one start at a time, of which the last one of each stays and the last one with a confidence', async () => {
    const store = await stores.openNew(engine)
    const hours = [period(b, 1), period(a, 1, 40), period(a, 2), period(a, 3, 50), period(b, 3), period(a, 4)]
    await store.write((tx) => upsertTokenPeriods(tx, 'token_hours', hours))
    const list = async (of: Address, at: number, limit = 9) =>
      (await listOldHours(store.read, 'token_hours', { after: { of, start: at * hour }, beforeSeconds: 4 * hour, limit })).map(
        (each) => [each.of, each.start / hour],
      )
    expect(await list('0x', -1)).toEqual([
      [a, 1],
      [b, 1],
    ])
    expect(await list('0x', -1, 1)).toEqual([[a, 1]])
    expect(await list(a, 1)).toEqual([[b, 1]])
    expect(await list(b, 1)).toEqual([[a, 2]])
    expect(await list(b, 3)).toEqual([])
    const stays = async (of: Address, before: number) =>
      (await listLastHoursOf(store.read, 'token_hours', of, before * hour)).map((start) => start / hour)
    expect([await stays(a, 3), await stays(a, 4), await stays(b, 3), await stays(b, 1)]).toEqual([[2, 1], [3, 3], [1], []])
    await store.write((tx) => deleteOldHours(tx, 'token_hours', [{ of: a, start: hour }]))
    expect(await list('0x', -1)).toEqual([[b, 1]])
  })

  it('are hours of the exchange, the oldest first, so many at a time', async () => {
    const store = await stores.openNew(engine)
    const of = (at: number) => ({
      ...{ startSeconds: at * hour, tvlUsdE18: 1n, nativeUsdE18: 1n, volumeUsdE18: 1n, feesUsdE18: 1n, txCount: 1 },
    })
    await store.write((tx) => upsertExchangePeriods(tx, 'exchange_hours', [of(3), of(1), of(2), of(4)]))
    const remove = () => store.write((tx) => deleteOldExchangeHours(tx, 4 * hour, 2))
    expect([await remove(), await remove(), await remove()]).toEqual([2, 1, 0])
    expect(await store.read.selectFrom('exchange_hours').select('start').execute()).toEqual([{ start: 4 * hour }])
  })
})

describe.each(engines)('what is kept on %s', (engine) => {
  const filled = async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      await insertSwaps(tx, [swap(10, 0), swap(400, 0), swap(800, 0)], new Map())
      const opening = { ...swap(5, 0), kind: 'initialize' as const, sqrtPriceX96: 1n, tick: 0 }
      await insertPoolEvents(tx, [opening], new Map())
    })
    return store
  }

  it('is everything until it is noted, and then what comes after that', async () => {
    const store = await filled()
    expect(await findKeptSince(store.read)).toEqual({ swaps: undefined, hours: undefined })
    expect([await findFirstKept(store.read), await findFirstOpen(store.read), await findFirstRevaluable(store.read)]).toEqual([
      0, 0, 0,
    ])
    await store.write((tx) => setKeptSince(tx, 'hours', 77))
    await store.write((tx) => setKeptSince(tx, 'swaps', 4_000))
    expect(await findKeptSince(store.read)).toEqual({ swaps: 4_000, hours: 77 })
    // The event of block 10 is the last one before; an hour later that of block 400 is.
    expect([await findFirstKept(store.read), await findFirstOpen(store.read), await findFirstRevaluable(store.read)]).toEqual([
      ...[11, 400, 401],
    ])
    const block = (number: number) => ({ number, hash: '0x01' as const, timestampSeconds: 1 })
    expect(await keepOpen(store.read, block(400))).toEqual(block(400))
    expect([await keepOpen(store.read, block(399)), await keepOpen(store.read, undefined)]).toEqual([undefined, undefined])
  })

  it('is found by block and by time, over events of either kind', async () => {
    const store = await filled()
    expect(await findFirstEventTime(store.read)).toBe(50)
    expect([await findLastEventTime(store.read, 9), await findLastEventTime(store.read, 400)]).toEqual([50, 4_000])
    expect(await findLastEventTime(store.read, 4)).toBeUndefined()
    expect(await findNextEvent(store.read, 5)).toEqual({ blockNumber: 10, timestampSeconds: 100 })
    expect(await findNextEvent(store.read, 800)).toBeUndefined()
    expect([await findLastBlockBefore(store.read, 100), await findLastBlockBefore(store.read, 101)]).toEqual([5, 10])
    expect(await findLastBlockBefore(store.read, 50)).toBeUndefined()
  })
})
