import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { listPoolChecks, upsertPoolChecks } from '../store/poolChecks.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createProgress } from './createProgress.ts'

const stores = createTempStores()
const factory: Address = '0x00000000000000000000000000000000000000fa'
const minuteMs = 60_000

/** The second reading of an index that begins at block 100; `readTo`: as far as an earlier run of the server has read. */
async function open({ readTo }: { readonly readTo?: number } = {}) {
  const store = await stores.openNew('sqlite')
  const clock = { ms: 0 }
  if (readTo !== undefined)
    await store.write((tx) => upsertPoolChecks(tx, [{ pool: factory, blockNumber: readTo, atSeconds: 1 }]))
  const progress = createProgress({ store, factory, startBlock: 100, nowMs: () => clock.ms, nowSeconds: () => 1_700_000_000 })
  await progress.load()
  const stored = async () => (await listPoolChecks(store.read)).find(({ pool }) => pool === factory)
  return { progress, clock, stored }
}

const all = Number.POSITIVE_INFINITY

describe('the second reading of the index', () => {
  it('begins where the index does, or where an earlier run of the server was', async () => {
    expect((await open()).progress.next()).toBe(100)
    expect((await open({ readTo: 250 })).progress.next()).toBe(251)
  })

  it('goes on behind the span that it has read, and stores no more than is old enough to be settled', async () => {
    const { progress, clock, stored } = await open()
    progress.mark(119)
    await progress.keep({ fromBlock: 100, toBlock: 119 }, all)
    expect([progress.next(), await stored()]).toEqual([120, { pool: factory, blockNumber: 99, atSeconds: 1_700_000_000 }])
    clock.ms = 4 * minuteMs
    await progress.keep({ fromBlock: 100, toBlock: 119 }, all)
    expect((await stored())?.blockNumber).toBe(119)
  })

  it('reads once more, four minutes later, what was new when it read it', async () => {
    const { progress, clock } = await open()
    progress.mark(119)
    await progress.keep({ fromBlock: 100, toBlock: 119 }, all)
    clock.ms = 4 * minuteMs - 1
    expect(progress.findStart(119, 10)).toBe(undefined)
    clock.ms = 4 * minuteMs
    expect(progress.findStart(119, 10)).toBe(100)
  })

  it('reads all that is not settled at once where it fits into one span', async () => {
    const { progress } = await open()
    progress.mark(119)
    await progress.keep({ fromBlock: 100, toBlock: 119 }, all)
    expect([progress.findStart(125, 26), progress.findStart(125, 25)]).toEqual([100, 120])
  })

  it('stores nothing beyond a block that is not decided about: a server that starts again has to find it', async () => {
    const { progress, clock, stored } = await open()
    progress.mark(119)
    clock.ms = 4 * minuteMs
    await progress.keep({ fromBlock: 100, toBlock: 119 }, 110)
    expect((await stored())?.blockNumber).toBe(109)
  })

  it('settles nothing behind a gap', async () => {
    const { progress, clock, stored } = await open()
    progress.mark(140)
    clock.ms = 4 * minuteMs
    await progress.keep({ fromBlock: 120, toBlock: 139 }, all)
    expect([progress.next(), (await stored())?.blockNumber]).toEqual([140, 99])
  })

  it('goes back to where the index ends after a rollback, but never before its first block', async () => {
    const { progress, clock, stored } = await open()
    progress.mark(140)
    clock.ms = 5 * minuteMs
    await progress.keep({ fromBlock: 100, toBlock: 140 }, all)
    progress.rolledBack(120)
    expect([progress.next(), progress.findStart(130, 10), progress.blockOf(5 * minuteMs), progress.rollbacks()]).toEqual([
      ...[121, 121, 120, 1],
    ])
    await progress.keep({ fromBlock: 121, toBlock: 125 }, all)
    expect((await stored())?.blockNumber).toBe(120)
    progress.rolledBack(20)
    expect([progress.next(), progress.findStart(130, 10)]).toEqual([100, 100])
  })

  it('reads the last five minutes once more when a node was caught, and what is above the block', async () => {
    const { progress, clock } = await open()
    progress.mark(110)
    clock.ms = 3 * minuteMs
    progress.mark(130)
    clock.ms = 6 * minuteMs
    progress.mark(150)
    await progress.keep({ fromBlock: 100, toBlock: 150 }, all)
    progress.repeatAfter(140)
    expect(progress.next()).toBe(111)
    progress.repeatAfter(105)
    expect(progress.next()).toBe(106)
  })

  it('passes over what is no longer kept', async () => {
    const { progress, stored } = await open()
    progress.skipTo(180)
    expect(progress.next()).toBe(180)
    await progress.keep({ fromBlock: 180, toBlock: 189 }, all)
    expect((await stored())?.blockNumber).toBe(179)
  })
})
