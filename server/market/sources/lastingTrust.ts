import { type Address, daySeconds, hourSeconds, type Weighed, weightedMedian } from '@chainboard/core'
import type { HourTrust } from '../../store/tokenPeriods.ts'

/** Hours that decide what confidence has lasted: those that have ended, as far back as they count. */
export function lastingHours(nowSeconds: number) {
  return { fromSeconds: nowSeconds - daySeconds - hourSeconds + 1, toSeconds: nowSeconds - hourSeconds + 1 }
}

/**
 * How far each token was trusted for half of the last day, in hundredths. An hour counts by its least confidence, from its end until
 * the end of the next one in which something happened to a pool of the token: what somebody adds or does counts once it has lasted, and
 * what happened once only counts until it happens again. What was before the first hour is not known and does not count. Pure.
 * @param hours of {@link lastingHours}, with the last one before of each token, by time
 */
export function findLastingTrust(hours: readonly HourTrust[], nowSeconds: number): ReadonlyMap<Address, number> {
  const lasting = new Map<Address, number>()
  for (const [token, own] of Map.groupBy(hours, (hour) => hour.token)) {
    const samples = own.map(({ startSeconds, trust }, i): Weighed => {
      const from = Math.max(startSeconds + hourSeconds, nowSeconds - daySeconds)
      const next = own[i + 1]
      const until = next ? Math.max(next.startSeconds + hourSeconds, from) : nowSeconds
      return { value: BigInt(trust), weight: BigInt(until - from) }
    })
    lasting.set(token, samples.length === 1 ? (own[0] as HourTrust).trust : Number(weightedMedian(samples)))
  }
  return lasting
}
