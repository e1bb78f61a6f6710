import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import {
  deletePoolEventsAfter,
  insertPoolEvents,
  listPoolEventsAfter,
  listPoolEventsBetween,
  listPoolEventsIn,
  type PoolEvent,
  readLiquidityAfter,
  updatePoolEventDollars,
} from './poolEvents.ts'
import type { Store } from './store.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [a, b, owner, sender] = [address('a1'), address('a2'), address('77'), address('78')]
const place = (blockNumber: number, pool: Address, logIndex = 0) => ({
  ...{ blockNumber, logIndex, pool, txHash: `0x${'c1'.repeat(32)}` as Hex, timestampSeconds: 10 * blockNumber },
})
const range = { owner, tickLower: -887_220, tickUpper: 887_220 }
const most = 2n ** 256n - 1n

const opening: PoolEvent = { ...place(1, a), kind: 'initialize', sqrtPriceX96: 2n ** 160n - 1n, tick: -1 }
const mint: PoolEvent = { ...place(2, a), ...range, kind: 'mint', amount: 2n ** 128n - 1n, amount0: most, amount1: 0n, sender }
const burn: PoolEvent = { ...place(3, b), ...range, kind: 'burn', amount: 0n, amount0: 1n, amount1: 2n, sender: undefined }
const collect: PoolEvent = {
  ...{ ...place(4, a), ...range, kind: 'collect', amount: undefined },
  ...{ amount0: 3n, amount1: 4n, sender: undefined },
}
const flash: PoolEvent = {
  ...{ ...place(5, a), kind: 'flash', sender, recipient: owner },
  ...{ amount0: most, amount1: 5n, paid0: 6n, paid1: 7n },
}
const all = [opening, mint, burn, collect, flash]

describe.each(engines)('events of pools on %s', (engine) => {
  const fill = async (events: readonly PoolEvent[] = all): Promise<Store> => {
    const store = await stores.openNew(engine)
    await store.write((tx) => insertPoolEvents(tx, events, new Map()))
    return store
  }
  const blocks = (events: readonly PoolEvent[]) => events.map(({ blockNumber }) => blockNumber)

  it('are read back as they were, each with what its kind has', async () => {
    const store = await fill()
    expect(await listPoolEventsIn(store.read, { fromBlock: 0, toBlock: 9 })).toEqual(all)
  })

  it('are those of a span of blocks or of times, of one pool or of all', async () => {
    const store = await fill()
    expect(blocks(await listPoolEventsIn(store.read, { fromBlock: 2, toBlock: 4 }))).toEqual([2, 3, 4])
    expect(blocks(await listPoolEventsIn(store.read, { fromBlock: 2, toBlock: 4, pool: b }))).toEqual([3])
    expect(blocks(await listPoolEventsBetween(store.read, { fromSeconds: 20, toSeconds: 40, toBlock: 9 }))).toEqual([2, 3])
    expect(blocks(await listPoolEventsBetween(store.read, { fromSeconds: 20, toBlock: 4 }))).toEqual([2, 3, 4])
    expect(blocks(await listPoolEventsAfter(store.read, 3)).sort()).toEqual([4, 5])
  })

  it('of a dead branch go', async () => {
    const store = await fill()
    await store.write((tx) => deletePoolEventsAfter(tx, 3))
    expect(await listPoolEventsIn(store.read, { fromBlock: 0, toBlock: 9 })).toEqual([opening, mint, burn])
  })

  it('get other dollars, and nothing else', async () => {
    const store = await fill()
    const changed: PoolEvent = { ...mint, amount0: 1n, owner: sender }
    await store.write((tx) => updatePoolEventDollars(tx, [changed, burn], new Map([['2:0', 10n ** 60n]])))
    expect(await listPoolEventsIn(store.read, { fromBlock: 0, toBlock: 9 })).toEqual(all)
    const rows = await store.read.selectFrom('pool_events').select('amount_usd').orderBy('block_number').execute()
    expect(rows.map((row) => row.amount_usd)).toEqual(['0', (10n ** 60n).toString(), '0', '0', '0'])
  })

  it('that change liquidity come in pages, in the order of the chain, none twice and none left out', async () => {
    const many = Array.from({ length: 10_250 }, (_, i): PoolEvent => {
      const facts = { ...place(7 + Math.floor(i / 1_000), i % 3 === 0 ? a : b, i % 1_000), ...range }
      return { ...facts, kind: i % 2 === 0 ? 'mint' : 'burn', amount: BigInt(i), amount0: 0n, amount1: 0n, sender: undefined }
    })
    const store = await fill([...all, ...many])
    const read: PoolEvent[] = []
    const lengths: number[] = []
    for await (const page of readLiquidityAfter(store.read, 3)) {
      read.push(...page)
      lengths.push(page.length)
    }
    expect(lengths).toEqual([5_000, 5_000, 250])
    expect(read.map((event) => ('amount' in event ? event.amount : -1n))).toEqual(many.map((_, i) => BigInt(i)))
  })

  it('are damaged where one has no owner, or a loan nobody who took it', async () => {
    for (const [kind, column] of [
      ['mint', 'owner'],
      ['flash', 'recipient'],
      ['flash', 'sender'],
    ] as const) {
      const store = await fill()
      await store.write((tx) =>
        tx
          .updateTable('pool_events')
          .set({ [column]: null })
          .where('kind', '=', kind)
          .execute(),
      )
      await expect(listPoolEventsIn(store.read, { fromBlock: 0, toBlock: 9 }), column).rejects.toMatchObject({
        code: 'store-damaged',
        message: `A row has no ${column}`,
      })
    }
  })
})
