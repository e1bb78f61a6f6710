import { type Address, daySeconds, hourSeconds, startOfHour, type Weighed, weightedMedian } from '@chainboard/core'
import type { Tx } from '../../../store/store.ts'
import { type HourTrust, listHourTrusts } from '../../../store/tokenPeriods.ts'

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
    const [only] = own
    lasting.set(token, only && own.length === 1 ? only.trust : Number(weightedMedian(samples)))
  }
  return lasting
}

/** At a block, whether or not it is the newest in the index: these hours have ended. */
export async function readLastingTrust(tx: Tx, nowSeconds: number): Promise<LastingTrust> {
  const end = startOfHour(nowSeconds)
  return findLastingTrust(await listHourTrusts(tx, { fromSeconds: end - daySeconds, toSeconds: end }), nowSeconds)
}
