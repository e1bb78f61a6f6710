import { Failure } from '@chainboard/core'
import { claimPinCounters, type PinCounters, readPinCounters, savePinCounters } from '../store/pinFailures.ts'
import type { User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { describeWait } from './describeWait.ts'
import { findPinLane, type PinAttempt, type PinLane } from './findPinLane.ts'
import { charge, chargeWrong, lastWaitSeconds, listSubjects, type PinLimit, pickLimits, settle, waitSeconds } from './pinGuard.ts'

/**
 * Every PIN is checked here. The attempt is counted, durably, before the PIN is looked at, and taken off again when it was
 * right; a user who does not exist costs the same work, and answers alike.
 * @returns whose PIN it is
 * @throws Failure `pin-invalid`; `too-many-attempts` with `detail.retryAfterSeconds`, an hour at most; `busy`
 */
export async function checkPin(parts: AccountParts, attempt: PinAttempt): Promise<User> {
  const { store, hasher, queue, quota, nobodysHash, nowSeconds } = parts
  const lane = await findPinLane(parts, attempt)
  const subjects = listSubjects(lane.limits)
  const { client, gone } = attempt.visitor
  // Whoever has to wait is sent away before he takes a place in the queue.
  refuseEarly(judge(lane, await readPinCounters(store.read, subjects), nowSeconds()).wait, lane.caller)
  refuseEarly(quota.wait({ caller: lane.caller, userId: attempt.user?.id, client }, nowSeconds()), 'known')
  const sinceSeconds = lane.caller === 'known' ? attempt.user?.createdAtSeconds : undefined
  const caller = { kind: lane.caller, subject: attempt.key, client, sinceSeconds, gone }
  return queue.run(caller, async () => {
    const { wait, limits } = await store.write(async (tx) => {
      const counters = await claimPinCounters(tx, subjects)
      const judged = judge(lane, counters, nowSeconds())
      if (judged.wait === 0) await savePinCounters(tx, charge(judged.limits, counters, nowSeconds()))
      return judged
    })
    refuseEarly(wait, lane.caller)
    quota.countLook(client, nowSeconds())
    const right = await hasher.verify(attempt.user?.pinHash ?? nobodysHash, attempt.pin)
    if (!attempt.user || !right) {
      await keepWrong(parts, limits)
      throw new Failure('pin-invalid', 'Invalid PIN')
    }
    quota.countRight(attempt.user.id, nowSeconds())
    await store.write(async (tx) => savePinCounters(tx, settle(limits, await claimPinCounters(tx, subjects))))
    return attempt.user
  })
}

/** Nothing ends this but the server: a caller who is gone meanwhile has his wrong PIN counted all the same. */
async function keepWrong({ store, nowSeconds }: AccountParts, limits: readonly PinLimit[]): Promise<void> {
  const subjects = listSubjects(limits.filter(({ rule }) => rule.isOfWrongPins))
  if (subjects.length === 0) return
  await store.write(async (tx) => savePinCounters(tx, chargeWrong(limits, await claimPinCounters(tx, subjects), nowSeconds())))
}

function judge(lane: PinLane, counters: PinCounters, nowSeconds: number) {
  const limits = pickLimits(lane.limits, counters, nowSeconds)
  return { limits, wait: waitSeconds(limits, counters, nowSeconds) }
}

/** What is closed for longer than the longest wait may open before: other ways in, or a right PIN, take counts off. */
function refuseEarly(seconds: number, caller: PinLane['caller']): void {
  if (seconds > 0) {
    const retryAfterSeconds = Math.min(seconds, lastWaitSeconds)
    throw new Failure('too-many-attempts', describeWait(seconds, caller), { detail: { retryAfterSeconds } })
  }
}
