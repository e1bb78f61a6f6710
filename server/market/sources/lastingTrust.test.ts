import type { Address, Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import { insertBlocks } from '../../store/blocks.ts'
import type { Store } from '../../store/store.ts'
import { type TokenPeriod, upsertTokenPeriods } from '../../store/tokenPeriods.ts'
import { emptyTokenState } from '../../store/tokenState.ts'
import { createTempStores } from '../../testing/tempStores.ts'
import { createLastingReader, findLastingTrust } from './lastingTrust.ts'

const token = `0x${'20'.repeat(20)}` as Address
const hour = 3_600
/** The least confidence by the hour of its token, in hundredths; as the hour `now` begins. */
const lastingAt = (now: number, byHour: Readonly<Record<number, number>>) => {
  const hours = Object.entries(byHour).map(([at, trust]) => ({ token, startSeconds: Number(at) * hour, trust }))
  const ascending = hours.toSorted((a, b) => a.startSeconds - b.startSeconds)
  return findLastingTrust(ascending, now * hour).get(token)
}

it('new confidence counts when it has lasted for over half of a day', () => {
  const moved = { [-9]: 33, 11: 92 }
  // From the end of hour 11 on.
  expect(lastingAt(24, moved)).toBe(33)
  expect(lastingAt(25, moved)).toBe(92)
})

it('one bad hour of a day takes nothing away', () => {
  const day = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [at, at === 20 ? 9 : 90]))
  expect(lastingAt(24, day)).toBe(90)
})

it('what happened once counts until something happens again, however long ago it was', () => {
  expect(lastingAt(24, { [-700]: 8 })).toBe(8)
  expect(lastingAt(24, { [-700]: 8, 22: 33 })).toBe(8)
})

it('of a token that is new only what is known counts', () => {
  const fresh = { 19: 45, 21: 90 }
  // Two hours each: of an even split the lower.
  expect(lastingAt(24, fresh)).toBe(45)
  expect(lastingAt(25, fresh)).toBe(90)
  expect(lastingAt(24, { 23: 45 })).toBe(45)
  expect(lastingAt(24, {})).toBeUndefined()
})

const stores = createTempStores()

it('is read again when an hour begins, a minute has passed, or the chain left the block', async () => {
  const store = await stores.openNew('sqlite')
  const blockAt = (number: number, seconds: number, byte = 'aa') => ({
    ...{ number, hash: `0x${byte.repeat(32)}` as Hex, timestampSeconds: 24 * hour + seconds },
  })
  const put = (trust: number) => store.write((tx) => upsertTokenPeriods(tx, 'token_hours', [toRow(trust)]))
  const read = createLastingReader()
  const readAt = (atBlock: ReturnType<typeof blockAt>) =>
    store.readConsistently(async (tx) => (await read(tx, store as Store, atBlock)).get(token))
  await store.write((tx) => insertBlocks(tx, [blockAt(1, 10)]))
  await put(50)
  expect(await readAt(blockAt(1, 10))).toBe(50)
  await put(60)
  expect(await readAt(blockAt(2, 70))).toBe(50)
  expect(await readAt(blockAt(3, 71))).toBe(60)
  // Block 3 is not in the index.
  await put(70)
  expect(await readAt(blockAt(1, 10))).toBe(70)
  await put(80)
  await store.write((tx) => insertBlocks(tx, [blockAt(1, 10, 'bb')]))
  expect(await readAt(blockAt(2, 12))).toBe(80)
  await store.write((tx) => insertBlocks(tx, [blockAt(2, 12), blockAt(3, hour - 1)]))
  expect(await readAt(blockAt(3, hour - 1))).toBe(80)
  await put(90)
  expect(await readAt(blockAt(4, hour - 1))).toBe(80)
  expect(await readAt(blockAt(5, hour))).toBe(90)
})

function toRow(trust: number): TokenPeriod {
  const nothing = { open: 0n, high: 0n, low: 0n, volume: 0n, volumeUsdE18: 0n, feesUsdE18: 0n }
  return { ...emptyTokenState, ...nothing, token, startSeconds: 20 * hour, trust }
}
