import { type Address, daySeconds, hourSeconds, startOfHour, type Weighed, weightedMedian } from '@chainboard/core'
import { findBlock } from '../../store/blocks.ts'
import type { StoreReader, Tx } from '../../store/store.ts'
import type { BlockRef } from '../../store/syncCursor.ts'
import { type HourTrust, listHourTrusts } from '../../store/tokenPeriods.ts'

/** How far each token was trusted for half of the day before the running hour, in hundredths. */
export type LastingTrust = ReadonlyMap<Address, number>

/**
 * An hour counts by its least confidence, from its end until the end of the next one in which something happened to a pool of the token:
 * what somebody adds or does counts once it has lasted, and what happened once counts until something happens again. What was before the
 * first hour is not known and does not count. Pure.
 * @param hours of the 24 before the running one, and the last one before of each token, by time
 */
export function findLastingTrust(hours: readonly HourTrust[], nowSeconds: number): LastingTrust {
  const lasting = new Map<Address, number>()
  const end = startOfHour(nowSeconds)
  for (const [token, own] of Map.groupBy(hours, (hour) => hour.token)) {
    const samples = own.map(({ startSeconds, trust }, i): Weighed => {
      const from = Math.max(startSeconds + hourSeconds, end - daySeconds)
      const next = own[i + 1]
      return { value: BigInt(trust), weight: BigInt((next ? next.startSeconds + hourSeconds : end) - from) }
    })
    // The first and only hour may just have ended.
    lasting.set(token, samples.length === 1 ? (own[0] as HourTrust).trust : Number(weightedMedian(samples)))
  }
  return lasting
}

/** At a block, whether or not it is the newest in the index: these hours have ended. */
export async function readLastingTrust(tx: Tx, nowSeconds: number): Promise<LastingTrust> {
  const end = startOfHour(nowSeconds)
  return findLastingTrust(await listHourTrusts(tx, { fromSeconds: end - daySeconds, toSeconds: end }), nowSeconds)
}

type Kept = { readonly atBlock: BlockRef; readonly trust: LastingTrust }

/** Of one index at its newest block. */
export type LastingReader = (tx: Tx, store: StoreReader, atBlock: BlockRef) => Promise<LastingTrust>

/** What a repair or new values change in hours that have ended shows after so many seconds of the chain. */
const keptSecondsMax = 60

/** Reads it again when an hour begins, when the chain left the block at which it was read, and once a minute of the chain. */
export function createLastingReader(): LastingReader {
  const kept = new WeakMap<StoreReader, Kept>()
  const isGood = async (tx: Tx, known: Kept, now: BlockRef) => {
    const age = now.timestampSeconds - known.atBlock.timestampSeconds
    if (age < 0 || age > keptSecondsMax || startOfHour(now.timestampSeconds) > known.atBlock.timestampSeconds) return false
    return (await findBlock(tx, known.atBlock.number))?.hash === known.atBlock.hash
  }
  return async (tx, store, atBlock) => {
    const known = kept.get(store)
    if (known && (await isGood(tx, known, atBlock))) return known.trust
    const trust = await readLastingTrust(tx, atBlock.timestampSeconds)
    kept.set(store, { atBlock, trust })
    return trust
  }
}
