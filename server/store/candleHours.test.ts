import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { listCandleHours, type PoolPeriod, upsertPeriods } from './poolPeriods.ts'
import { emptyPoolState } from './poolState.ts'

const stores = createTempStores()
const [pool, other] = ['aa', 'bb'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address]
const hour = 3_600

const at = (of: Address, hours: number): PoolPeriod => ({
  ...{ ...emptyPoolState, pool: of, startSeconds: hours * hour, open: 1n, high: 1n, low: 1n, volume0: 1n, volume1: 1n },
  ...{ volumeUsdE18: 1n, feesUsdE18: 0n, swapCount: 1, eventCount: 1 },
})

it.each(engines)('hours of a pool for a chart are those of the span, and the last one before it, on %s', async (engine) => {
  const store = await stores.openNew(engine)
  await store.write((tx) => upsertPeriods(tx, 'pool_hours', [...[1, 3, 5, 9].map((hours) => at(pool, hours)), at(other, 4)]))
  const hoursFrom = async (fromHour: number) => {
    const rows = await listCandleHours(store.read, { pool, fromSeconds: fromHour * hour, toSeconds: 9 * hour })
    return rows.map(({ startSeconds }) => startSeconds / hour)
  }
  expect(await hoursFrom(5)).toEqual([3, 5])
  expect(await hoursFrom(6)).toEqual([5])
  // None is before.
  expect(await hoursFrom(1)).toEqual([1, 3, 5])
})
