import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { findFirstKept, findFirstOpen, findFirstRevaluable, findKeptSince } from '../store/keptSince.ts'
import { askAgain, findAsked } from '../store/oldDollars.ts'
import { findTickBefore, listPositionChanges, listTrades, placeAfter } from '../store/origins.ts'
import type { Store } from '../store/store.ts'
import { listPricesAt } from '../store/swaps.ts'
import { findCursor } from '../store/syncCursor.ts'
import { type HourTrust, listHourTrusts } from '../store/tokenPeriods.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, poolOf, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { falsifyDollars } from '../testing/falsify.ts'
import { strictLog } from '../testing/following.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import type { Witness } from '../witness/witness.ts'
import { openWorld } from './openWorld.ts'
import { noteKept, openPruning, type PruneDeps, type Retention, toMonthBefore } from './pruneIndex.ts'
import { revalueHour } from './revalue.ts'
import { rollBack } from './rollBack.ts'
import { settleScope } from './settleScope.ts'
import { repair } from './takeRange.ts'

const stores = createTempStores()
const options = { factory, confirmations: 6, spanMax: 40 }
const valuation = {
  stables: [tokens[0] as Address, tokens[2] as Address],
  wrappedNative: tokens[1] as Address,
  depthFloorUsdE18: 0n,
  quotes: [],
  windowSeconds: 600,
}
const daySeconds = 86_400
const retention: Retention = { swapMonths: 2, hourMonths: 3 }
const toDeps = (store: Store, changes: Partial<PruneDeps> = {}): PruneDeps => ({
  store,
  retention,
  confirmations: 6,
  isOurs: () => true,
  ...changes,
})

/**
 * Seven months: in each some busy hours, and events in its first one; a pool that falls silent after the first day, others that trade to the
 * end, and a transaction that trades and provides.
 */
async function sevenMonths(): Promise<FakeChain> {
  const chain = new FakeChain()
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1), ...poolCreated(4)])
  chain.mine([poolEvent(0, 0, 300), poolEvent(1, 0, 200), poolEvent(4, 0, 300), poolEvent(4, 7, 250)])
  for (let month = 0; month < 7; month += 1) {
    mineSome(chain, { blocks: 10, seed: month + 3, secondsLater: 700 })
    chain.mine([poolEvent(0, 5, 40 + month), poolEvent(1, 5, 60 + month)], 12 * daySeconds)
    mineSome(chain, { blocks: 6, seed: 2 * month + 1, secondsLater: 40 })
    const both = [poolEvent(1, 5, 80 + month), poolEvent(1, 0, 10 + month)]
    chain.mine(both.map((event) => ({ ...event, transaction: 1 })))
    const { timestampSeconds } = await chain.readHead()
    chain.mine([poolEvent(0, 6, 90 + month)], toMonthBefore(timestampSeconds, -1) + 600 - timestampSeconds)
    chain.mine([poolEvent(1, 4, 30 + month)], 2_000)
  }
  mineSome(chain, { blocks: 12, seed: 5, secondsLater: 300 })
  chain.mine([])
  return chain
}

async function sync(chain: FakeChain, store: Store): Promise<void> {
  const follower = follow(chain, store, options)
  await untilSynced(chain, follower)
  await follower.stop()
}

async function prune(deps: PruneDeps, limit = 7): Promise<number> {
  const kept = await noteKept(deps)
  if (!kept) return 0
  const next = await openPruning(deps.store, kept, () => 0)
  for (let transactions = 0; ; transactions += 1) {
    const pruned = await next(limit)
    if (pruned === 'done') return transactions
    expect(pruned).toBe(0)
  }
}

async function openSynced(chain: FakeChain, engine: Store['engine']): Promise<Store> {
  const store = await stores.openNew(engine)
  await sync(chain, store)
  return store
}

const valuing = (store: Store) => ({ store, valuation, holder: { world: undefined }, isOurs: () => true })

it('keeps whole months before the one of the newest event', () => {
  const at = (text: string) => Date.parse(text) / 1_000
  expect(toMonthBefore(at('2026-11-26T05:43:03Z'), 6)).toBe(at('2026-05-01T00:00:00Z'))
  expect(toMonthBefore(at('2026-02-01T00:00:00Z'), 2)).toBe(at('2025-12-01T00:00:00Z'))
  expect(toMonthBefore(at('2027-02-28T23:59:59Z'), 14)).toBe(at('2025-12-01T00:00:00Z'))
})

describe.each(engines)('an index of which old rows are deleted (%s)', (engine) => {
  it('loses swaps and hours of before, and nothing that something else follows from', { timeout: 120_000 }, async () => {
    const chain = await sevenMonths()
    const store = await openSynced(chain, engine)
    const before = await dumpIndex(store)
    expect(await prune(toDeps(store))).toBeGreaterThan(5)
    const after = await dumpIndex(store)
    const { swaps, hours } = await findKeptSince(store.read)
    const last = [...before.swaps, ...before.events].filter((e) => e.block_number <= chain.height - 6).map((e) => e.timestamp)
    expect([swaps, hours]).toEqual([toMonthBefore(Math.max(...last), 2), toMonthBefore(Math.max(...last), 3)])
    const since = swaps as number
    // Of each pool the last swap before, and all since.
    const lastOf = Map.groupBy(
      before.swaps.filter(({ timestamp }) => timestamp < since),
      ({ pool }) => pool,
    )
    const stay = new Set([...lastOf.values()].map((rows) => rows.at(-1)))
    expect(after.swaps).toEqual(before.swaps.filter((row) => row.timestamp >= since || stay.has(row)))
    expect(stay.size).toBeGreaterThan(2)
    expect(before.swaps.length - after.swaps.length).toBeGreaterThan(20)
    const lastHours = <R extends { start: number }>(rows: readonly R[], of: (row: R) => string) =>
      rows.filter(
        (row) =>
          row.start >= (hours as number) ||
          !rows.some((r) => of(r) === of(row) && r.start > row.start && r.start < (hours as number)),
      )
    expect(after.hours).toEqual(lastHours(before.hours, ({ pool }) => pool))
    expect(after.hours.length).toBeLessThan(before.hours.length)
    expect(after.tokenHours.map(({ start }) => start)).toEqual(
      expect.arrayContaining(lastHours(before.tokenHours, ({ token }) => token).map(({ start }) => start)),
    )
    expect(after.tokenHours.length).toBeLessThan(before.tokenHours.length)
    expect(after.exchangeHours).toEqual(before.exchangeHours.filter(({ start }) => start >= (hours as number)))
    const { swaps: _s, hours: _h, tokenHours: _k, exchangeHours: _e, keptSince: _c, ...others } = before
    expect(after).toMatchObject(others)
    await store.close()
  })

  it('has the same rows after a kill between any two transactions, and however many rows each deletes', {
    timeout: 120_000,
  }, async () => {
    const chain = await sevenMonths()
    const store = await openSynced(chain, engine)
    await prune(toDeps(store), 1_000)
    const wanted = await dumpIndex(store)
    await store.close()
    for (const limit of [3, 11]) {
      const killed = await openSynced(chain, engine)
      const kept = await noteKept(toDeps(killed))
      // Each transaction is one of a server of its own; every second one is killed before it is whole.
      for (let i = 0; ; i += 1) {
        const failing: Store = {
          ...killed,
          write: (work) =>
            killed.write(async (tx) => {
              await work(tx)
              throw new Error('killed')
            }),
        }
        const broken = await openPruning(failing, kept as NonNullable<typeof kept>, () => 0)
        await broken(limit).catch((error: Error) => expect(error.message).toBe('killed'))
        const next = await openPruning(killed, kept as NonNullable<typeof kept>, () => 0)
        let pruned = await next(limit)
        // One from the beginning looks at what stays first.
        for (let again = 0; again < i && pruned !== 'done'; again += 1) pruned = await next(limit)
        if (pruned === 'done') break
      }
      expect(await dumpIndex(killed)).toEqual(wanted)
      await killed.close()
    }
  })

  it('follows, is opened and taken back as one that has all rows', { timeout: 120_000 }, async () => {
    const chain = await sevenMonths()
    const [pruned, whole] = [await openSynced(chain, engine), await openSynced(chain, engine)]
    await prune(toDeps(pruned))
    const since = (await findKeptSince(pruned.read)).swaps as number
    for (const at of [since, since + 5 * daySeconds, (await chain.readHead()).timestampSeconds])
      expect(await listPricesAt(pruned.read, at)).toEqual(await listPricesAt(whole.read, at))
    const span = { fromSeconds: (await findKeptSince(pruned.read)).hours as number, toSeconds: since + 50 * daySeconds }
    const byToken = (rows: readonly HourTrust[]) => rows.map((row) => `${row.startSeconds} ${row.token} ${row.trust}`).sort()
    expect(byToken(await listHourTrusts(pruned.read, span))).toEqual(byToken(await listHourTrusts(whole.read, span)))
    // What organic volume goes by.
    for (const pool of [0, 1, 4].map(poolOf)) {
      const read = async ({ read: db }: Store) => [
        await findTickBefore(db, pool, placeAfter(since)),
        await listPositionChanges(db, { pool, after: placeAfter(0), limit: 1_000 }),
        await listTrades(db, { pool, after: placeAfter(since - 1), limit: 1_000 }),
      ]
      expect(await read(pruned)).toEqual(await read(whole))
    }
    const firstOpen = await findFirstOpen(pruned.read)
    for (const block of [firstOpen, firstOpen + 1, firstOpen + 9, chain.height - 20, chain.height]) {
      const open = (store: Store) => store.readConsistently((tx) => openWorld(tx, block, valuation, { isPast: true }))
      const [one, other] = [(await open(pruned)).world, (await open(whole)).world]
      expect(one.pools, `block ${block}`).toEqual(other.pools)
      expect(one.tokens, `block ${block}`).toEqual(other.tokens)
      expect(one.ticks, `block ${block}`).toEqual(other.ticks)
      expect(one.tvlUsdE18).toBe(other.tvlUsdE18)
    }
    await expect(pruned.readConsistently((tx) => openWorld(tx, firstOpen - 1, valuation, { isPast: true }))).rejects.toThrow(
      `The state of the index after block ${firstOpen - 1} is no longer kept`,
    )
    for (const height of [chain.height - 3, firstOpen + 2]) {
      chain.cut(chain.height - height)
      mineSome(chain, { blocks: 9, seed: 8, secondsLater: 600 })
      for (const store of [pruned, whole]) await sync(chain, store)
      const [one, other] = [await dumpIndex(pruned), await dumpIndex(whole)]
      expect(one.pools).toEqual(other.pools)
      expect(one.tokens).toEqual(other.tokens)
      expect(one.days).toEqual(other.days)
      expect(one.tokenDays).toEqual(other.tokenDays)
      expect(one.exchangeDays).toEqual(other.exchangeDays)
      expect(one.spans).toEqual(other.spans)
      expect(one.swaps.filter(({ timestamp }) => timestamp >= since)).toEqual(
        other.swaps.filter(({ timestamp }) => timestamp >= since),
      )
    }
    for (const store of [pruned, whole]) await store.close()
  })

  it('is valued again from its first whole hour on, to the same dollars', { timeout: 120_000 }, async () => {
    const chain = await sevenMonths()
    const store = await openSynced(chain, engine)
    await prune(toDeps(store))
    const wanted = await dumpIndex(store)
    const first = await findFirstRevaluable(store.read)
    expect(first).toBeGreaterThan(40)
    for (const from of [first, first + 8]) {
      await falsifyDollars(store, from)
      expect(await dumpIndex(store)).not.toEqual(wanted)
      while (await revalueHour(valuing(store)));
      expect(await dumpIndex(store), `from ${from}`).toEqual(wanted)
    }
    const warned: string[] = []
    const changed = { ...valuation, windowSeconds: 240 }
    const identity = (await findCursor(store.read))?.identity as string
    const log = { warn: (_: object, text: string) => warned.push(text) }
    for (const each of [changed, valuation])
      await settleScope({ store, scope: { factory, onlyTokens: undefined, valuation: each }, log }, identity)
    const words = `the server revalues blocks from ${first} on. Events of earlier blocks are no longer kept`
    expect(warned).toEqual([1, 2].map(() => `The US dollar settings have changed: ${words}`))
    expect(await findAsked(store.read)).toMatchObject({ fromBlock: first, toBlock: chain.height })
    while (await revalueHour(valuing(store)));
    expect(await dumpIndex(store)).toEqual(wanted)
    expect(await store.write((tx) => askAgain(tx, 0, chain.height))).toBe(first)
    expect(await findAsked(store.read)).toMatchObject({ fromBlock: first, toBlock: chain.height })
    while (await revalueHour(valuing(store)));
    expect(await dumpIndex(store)).toEqual(wanted)
    await store.close()
  })

  it('loses no row while blocks are valued again, nor where tokens may be added', { timeout: 120_000 }, async () => {
    const chain = await sevenMonths()
    const store = await openSynced(chain, engine)
    await store.write((tx) => askAgain(tx, 3, chain.height))
    expect(await noteKept(toDeps(store))).toBeUndefined()
    while (await revalueHour(valuing(store)));
    expect(await noteKept(toDeps(store, { isOurs: () => false }))).toBeUndefined()
    const kept = await noteKept(toDeps(store))
    expect(kept?.swaps).toBeGreaterThan(0)
    const next = await openPruning(store, kept as NonNullable<typeof kept>, () => 0)
    await store.write((tx) => askAgain(tx, chain.height, chain.height))
    const before = await dumpIndex(store)
    expect(await next(100)).toBe('not now')
    expect(await dumpIndex(store)).toEqual(before)
    await store.close()
    const listed = await stores.openNew(engine)
    const follower = follow(chain, listed, { ...options, onlyTokens: new Set(tokens) })
    await untilSynced(chain, follower)
    await follower.stop()
    expect(await noteKept(toDeps(listed))).toBeUndefined()
    await listed.close()
  })

  it('never keeps more again, and has no mark where all of it is young enough', { timeout: 120_000 }, async () => {
    const chain = await sevenMonths()
    const store = await openSynced(chain, engine)
    const none = await noteKept(toDeps(store, { retention: { swapMonths: 12 } }))
    expect(none).toEqual({ swaps: undefined, hours: undefined })
    expect(await findKeptSince(store.read)).toEqual({ swaps: undefined, hours: undefined })
    expect([await findFirstKept(store.read), await findFirstOpen(store.read), await findFirstRevaluable(store.read)]).toEqual([
      0, 0, 0,
    ])
    const kept = await noteKept(toDeps(store))
    expect(await noteKept(toDeps(store, { retention: { swapMonths: 4 } }))).toEqual(kept)
    await store.close()
  })

  it('is set aside when the chain leaves it at a block whose events are gone', { timeout: 120_000 }, async () => {
    const chain = await sevenMonths()
    const store = await openSynced(chain, engine)
    await prune(toDeps(store))
    const firstOpen = await findFirstOpen(store.read)
    chain.cut(chain.height - firstOpen + 1)
    mineSome(chain, { blocks: 9, seed: 8, secondsLater: 600 })
    const warned: string[] = []
    const follower = follow(chain, store, { ...options, log: { ...strictLog, warn: (_, text) => warned.push(text) } })
    await untilSynced(chain, follower)
    await follower.stop()
    expect(warned.some((text) => text.includes('set aside as number 1'))).toBe(true)
    expect(await findKeptSince(store.read)).toEqual({ swaps: undefined, hours: undefined })
    const fresh = await openSynced(chain, engine)
    expect(await dumpIndex(store)).toEqual(await dumpIndex(fresh))
    for (const each of [store, fresh]) await each.close()
  })

  it('is not taken back by a comparison with rows that were deleted meanwhile', { timeout: 120_000 }, async () => {
    const chain = await sevenMonths()
    const store = await openSynced(chain, engine)
    await prune(toDeps(store))
    const cursor = await findCursor(store.read)
    const block = cursor?.block as NonNullable<NonNullable<typeof cursor>['block']>
    const before = await dumpIndex(store)
    const calls: string[] = []
    const witness = {
      rolledBack: (to: number) => calls.push(`rolledBack ${to}`),
      mayBeginAnew: () => false,
      unrepaired: (wrong: number) => calls.push(`unrepaired ${wrong}`),
    } as unknown as Witness
    const deps = {
      ...{ chain, store, witness, holder: { world: undefined }, nowMs: () => 0, log: strictLog },
      ...{ identity: cursor?.identity as string, scope: { factory, onlyTokens: undefined, valuation } },
    }
    const first = await findFirstKept(store.read)
    expect(await repair(deps, first - 1, block)).toBeUndefined()
    expect(await repair(deps, first, block)).toBeUndefined()
    expect(calls).toEqual([`rolledBack ${block.number}`, `unrepaired ${first}`])
    expect(await dumpIndex(store)).toEqual(before)
    await store.close()
  })

  it('is not taken back by a bug to where its rows are gone', { timeout: 120_000 }, async () => {
    const chain = await sevenMonths()
    const store = await openSynced(chain, engine)
    await prune(toDeps(store))
    const identity = (await findCursor(store.read))?.identity as string
    const before = await dumpIndex(store)
    const ancestor = { number: 3, hash: `0x${'0'.repeat(64)}`, timestampSeconds: 0 } as const
    const scope = { factory, onlyTokens: undefined, valuation }
    await expect(rollBack({ store, identity, scope, holder: { world: undefined }, nowMs: () => 0 }, ancestor)).rejects.toThrow(
      'The state of the index after block 3 is no longer kept',
    )
    expect(await dumpIndex(store)).toEqual(before)
    await store.close()
  })
})
