import type { PinCounters } from '../store/pinFailures.ts'
import type { PinLane } from './findPinLane.ts'
import { charge, lastWaitSeconds, type PinLimit, pickLimits, waitSeconds } from './pinGuard.ts'

/** All that decides whether a PIN is looked at. */
export type PinEvidence = PinLane & {
  /** Of every subject of the limits. */
  readonly counters: PinCounters
  /** Until one more PIN may cost a hash, right or wrong; 0 when now. */
  readonly quotaWaitSeconds: number
}

/** `look`: at the PIN, once `counters` are written; of `limits` it is settled afterwards. */
export type PinDecision =
  | { readonly kind: 'look'; readonly limits: readonly PinLimit[]; readonly counters: PinCounters }
  | { readonly kind: 'refuse'; readonly text: string; readonly retryAfterSeconds: number }

/** Decides whether a PIN is looked at, or when to come back. What is counted goes before what it costs. Pure. */
export function decidePin(evidence: PinEvidence, nowSeconds: number): PinDecision {
  const { caller, counters, quotaWaitSeconds } = evidence
  const limits = pickLimits(evidence.limits, counters, nowSeconds)
  const wait = waitSeconds(limits, counters, nowSeconds)
  if (wait > 0) return refuse(wait, caller)
  if (quotaWaitSeconds > 0) return refuse(quotaWaitSeconds, 'recognized')
  return { kind: 'look', limits, counters: charge(limits, counters, nowSeconds) }
}

/** What is closed for longer than the longest wait may open before: other ways in, or a right PIN, take counts off. */
function refuse(seconds: number, caller: PinLane['caller']): PinDecision {
  return { kind: 'refuse', text: describeWait(seconds, caller), retryAfterSeconds: Math.min(seconds, lastWaitSeconds) }
}

const minuteSeconds = 60
/** What opens the account however many PINs were wrong. */
const otherWays = 'a passkey, linked wallet, recovery code or sign-in code'
/** Where wrong PINs elsewhere do not close the PIN. */
const otherPlaces = { unrecognized: 'a browser or network', recognized: 'another browser or network' } as const

/**
 * `Too many attempts. Try again in 30 s.`, also `2 min`, up to `60 min`. Beyond an hour somebody is guessing: waiting is no
 * advice then, and the text names the other ways in.
 */
function describeWait(seconds: number, caller: PinLane['caller']): string {
  if (seconds > lastWaitSeconds)
    return `Too many wrong PINs. Use ${otherWays}, or ${otherPlaces[caller]} you have logged in from before.`
  // A unit is used from twice its length on.
  const [length, unit] = seconds >= 2 * minuteSeconds ? [minuteSeconds, 'min'] : [1, 's']
  return `Too many attempts. Try again in ${Math.ceil(seconds / length)} ${unit}.`
}
