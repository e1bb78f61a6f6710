import { freeKeySleepsAfterSeconds } from '../budgets/budgets.ts'
import type { ApiKey } from '../store/apiKeys.ts'

/** What decides whether a key sleeps. */
export type KeyRest = Pick<ApiKey, 'tier' | 'createdAtSeconds' | 'lastUsedAtSeconds' | 'signedAtSeconds'>

/** Until when a key is awake if nobody uses it, in unix seconds; undefined for a key that never sleeps. Free keys alone do. */
export function awakeUntilSeconds({ tier, createdAtSeconds, lastUsedAtSeconds, signedAtSeconds }: KeyRest): number | undefined {
  if (tier !== 'free') return undefined
  return Math.max(createdAtSeconds, lastUsedAtSeconds ?? 0, signedAtSeconds ?? 0) + freeKeySleepsAfterSeconds
}

/** Whether nobody has used a free key for so long that it has to be signed for again. */
export function isAsleep(key: KeyRest, nowSeconds: number): boolean {
  const untilSeconds = awakeUntilSeconds(key)
  return untilSeconds !== undefined && untilSeconds <= nowSeconds
}
