import { setImmediate } from 'node:timers/promises'
import { Failure } from '@chainboard/core'
import { expect, it, vi } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { findKeptSince, setKeptSince } from '../store/keptSince.ts'
import type { Store } from '../store/store.ts'
import { factory, follow, poolCreated, poolEvent, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { type KeepRetentionDeps, keepRetention, rowsMax } from './keepRetention.ts'

const stores = createTempStores()
const daySeconds = 86_400

/** A chain of four months, with twelve swaps a day. */
async function openYear(): Promise<Store> {
  const chain = new FakeChain()
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), poolEvent(0, 0, 300)])
  for (let day = 0; day < 125; day += 1)
    chain.mine(
      Array.from({ length: 12 }, (_, i) => poolEvent(0, 5, 1 + day + i)),
      daySeconds,
    )
  const store = await stores.openNew('sqlite')
  const follower = follow(chain, store, { factory, spanMax: 200 })
  await untilSynced(chain, follower)
  await follower.stop()
  return store
}

const countSwaps = async (store: Store) => (await store.read.selectFrom('swaps').select('block_number').execute()).length

/** @param tookMs of a transaction that looks at so many rows, by the keeper's clock */
function keep(store: Store, changes: Partial<KeepRetentionDeps> = {}) {
  const pauses: number[] = []
  const warned: string[] = []
  const keeper = keepRetention({
    store,
    retention: { swapMonths: 2, hourMonths: 2 },
    confirmations: 0,
    isOurs: () => true,
    isIdle: () => true,
    log: {
      info: () => undefined,
      warn: (_, text) => warned.push(text),
      error: (facts) => {
        throw (facts as { err: unknown }).err
      },
    },
    nowMs: () => 0,
    pause: async (ms, signal) => {
      pauses.push(ms)
      // As long as the longest one is: until it is stopped.
      if (ms < 60_000) await setImmediate()
      else await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
    ...changes,
  })
  return { keeper, pauses, warned }
}

it('deletes what is too old, rests in between, and says from when on rows are kept', async () => {
  const store = await openYear()
  const before = await countSwaps(store)
  const { keeper, pauses } = keep(store)
  await vi.waitUntil(() => pauses.includes(60_000), { timeout: 20_000 })
  const { swaps, hours } = await findKeptSince(store.read)
  expect(keeper.kept()).toEqual({ swaps, hours })
  const old = await store.read
    .selectFrom('swaps')
    .select('block_number')
    .where('timestamp', '<', swaps as number)
    .execute()
  expect(old).toHaveLength(1)
  expect(before - (await countSwaps(store))).toBeGreaterThan(500)
  expect(pauses.filter((ms) => ms === 20).length).toBeGreaterThan(2)
  await keeper.stop()
  await store.close()
})

it('deletes nothing while the index is not idle, and stops when it no longer is', async () => {
  const store = await openYear()
  const before = await countSwaps(store)
  let looks = 0
  const busy = keep(store, { isIdle: () => false })
  await vi.waitUntil(() => busy.pauses.filter((ms) => ms === 5_000).length > 2, { timeout: 20_000 })
  expect(busy.pauses).not.toContain(60_000)
  await busy.keeper.stop()
  expect([await countSwaps(store), await findKeptSince(store.read)]).toEqual([before, { swaps: undefined, hours: undefined }])
  const isIdle = () => {
    looks += 1
    return looks < 4
  }
  const { keeper, pauses } = keep(store, { isIdle })
  await vi.waitUntil(() => pauses.includes(5_000), { timeout: 20_000 })
  await keeper.stop()
  const after = await countSwaps(store)
  expect(after).toBeLessThan(before)
  expect(before - after).toBeLessThanOrEqual(500)
  await store.close()
})

it('takes fewer rows after a transaction that others had to wait for, and rests four times as long', async () => {
  const store = await openYear()
  let [now, looks] = [0, 0]
  // After one look at the start, twenty transactions take 60 ms each, those after them no time.
  const nowMs = () => {
    looks += 1
    now += looks <= 41 ? 60 : 0
    return now
  }
  const { keeper, pauses } = keep(store, { nowMs })
  await vi.waitUntil(() => pauses.includes(60_000), { timeout: 20_000 })
  await keeper.stop()
  const rests = pauses.filter((ms) => ms < 60_000)
  expect(rests.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 240))
  expect(new Set(rests.slice(20))).toEqual(new Set([20]))
  // 100, 50, 25, ... rows, and more again later: many more transactions than of 100 rows each.
  expect(rests.length).toBeGreaterThan(40)
  expect(rowsMax).toBe(500)
  await store.close()
})

it('deletes of another index, too, which takes the place of the first one', async () => {
  const store = await openYear()
  const swaps = await store.read.selectFrom('swaps').selectAll().execute()
  let looks = 0
  const { keeper } = keep(store, {
    pause: async (ms) => {
      if (ms >= 60_000) looks += 1
      // The second look finds an index that has begun anew.
      if (ms >= 60_000 && looks === 1)
        await store.write(async (tx) => {
          await tx.deleteFrom('kept_since').execute()
          await tx.deleteFrom('swaps').execute()
          for (const row of swaps) await tx.insertInto('swaps').values(row).execute()
        })
      await setImmediate()
    },
  })
  await vi.waitUntil(() => looks > 1, { timeout: 20_000 })
  await keeper.stop()
  expect(await countSwaps(store)).toBeLessThan(swaps.length - 500)
  await store.close()
})

it('tells what was deleted before, and deletes nothing more, without a setting', async () => {
  const store = await openYear()
  await store.write((tx) => setKeptSince(tx, 'swaps', 1_704_067_200))
  const before = await countSwaps(store)
  const { keeper, pauses } = keep(store, { retention: undefined })
  await vi.waitUntil(() => pauses.includes(60_000), { timeout: 20_000 })
  expect([keeper.kept(), await countSwaps(store)]).toEqual([{ swaps: 1_704_067_200, hours: undefined }, before])
  await keeper.stop()
  await store.close()
})

it('tries again while the store fails, and says so once', async () => {
  const store = await openYear()
  let failures = 3
  const failing: Store = {
    ...store,
    write: async (work) => {
      failures -= 1
      if (failures >= 0) throw new Failure('store-unavailable', 'The disk is full')
      return store.write(work)
    },
  }
  const { keeper, pauses, warned } = keep(failing)
  await vi.waitUntil(() => pauses.includes(60_000), { timeout: 20_000 })
  await keeper.stop()
  expect(warned).toEqual(['Old rows cannot be deleted; the server retries every 5 s'])
  expect(pauses.filter((ms) => ms === 5_000)).toHaveLength(3)
  expect((await findKeptSince(store.read)).swaps).toBeGreaterThan(0)
  await store.close()
})
