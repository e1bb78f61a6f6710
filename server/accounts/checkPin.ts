import { Failure } from '@chainboard/core'
import { claimPinCounters, readPinCounters, savePinCounters } from '../store/pinFailures.ts'
import type { User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { decidePin, type PinDecision } from './decidePin.ts'
import { findPinLane, type PinAttempt, type PinLane } from './findPinLane.ts'
import { chargeWrong, listSubjects, type PinLimit, settle } from './pinGuard.ts'
import { readPinSigns } from './readPinSigns.ts'

/**
 * Every PIN is checked here: what speaks for the attempt and what is counted of it are collected, `decidePin` decides, and then the
 * attempt is counted, durably, before the PIN is looked at, and taken off again when it was right. A user who does not exist costs
 * the same work, and answers alike.
 * @returns whose PIN it is
 * @throws Failure `pin-invalid`; `too-many-attempts` with `detail.retryAfterSeconds`, an hour at most; `busy`
 */
export async function checkPin(parts: AccountParts, attempt: PinAttempt): Promise<User> {
  const { user, key, visitor } = attempt
  const lane = findPinLane(attempt, await readPinSigns(parts, attempt), parts.keyedHash)
  const counters = await readPinCounters(parts.store.read, listSubjects(lane.limits))
  const nowSeconds = parts.nowSeconds()
  const asked = { caller: lane.caller, userId: user?.id, client: visitor.client }
  const quotaWaitSeconds = parts.quota.wait(asked, nowSeconds)
  // Callers who have to wait are refused before they take a place in the queue.
  const { limits } = requireLook(decidePin({ ...lane, counters, quotaWaitSeconds }, nowSeconds))
  const sinceSeconds = lane.caller === 'recognized' ? user?.createdAtSeconds : undefined
  const caller = { kind: lane.caller, subject: key, client: visitor.client, sinceSeconds, gone: visitor.gone }
  // What does not hold is not claimed: the reserve is one row for all strangers.
  return parts.queue.run(caller, () => lookAtPin(parts, attempt, { caller: lane.caller, limits }))
}

/** Counts the attempt, looks at its PIN and counts what that was. Nothing ends this but the server, whether its caller is there or not. */
async function lookAtPin(parts: AccountParts, { user, pin, visitor }: PinAttempt, lane: PinLane): Promise<User> {
  const { store, hasher, quota, nobodysHash, nowSeconds } = parts
  const limits = await countAttempt(parts, lane)
  quota.countLook(visitor.client, nowSeconds())
  const right = await hasher.verify(user?.pinHash ?? nobodysHash, pin)
  if (!user || !right) {
    await countWrong(parts, limits)
    throw new Failure('pin-invalid', 'Invalid PIN')
  }
  quota.countRight(user.id, nowSeconds())
  await store.write(async (tx) => savePinCounters(tx, settle(limits, await claimPinCounters(tx, listSubjects(lane.limits)))))
  return user
}

/** Decides once more, by counters that nobody else can change meanwhile, and writes them. @returns the limits that hold */
async function countAttempt({ store, nowSeconds }: AccountParts, lane: PinLane): Promise<readonly PinLimit[]> {
  const decision = await store.write(async (tx) => {
    const counters = await claimPinCounters(tx, listSubjects(lane.limits))
    const decided = decidePin({ ...lane, counters, quotaWaitSeconds: 0 }, nowSeconds())
    if (decided.kind === 'look') await savePinCounters(tx, decided.counters)
    return decided
  })
  return requireLook(decision).limits
}

async function countWrong({ store, nowSeconds }: AccountParts, limits: readonly PinLimit[]): Promise<void> {
  const subjects = listSubjects(limits.filter(({ rule }) => rule.isOfWrongPins))
  if (subjects.length === 0) return
  await store.write(async (tx) => savePinCounters(tx, chargeWrong(limits, await claimPinCounters(tx, subjects), nowSeconds())))
}

/** @throws Failure `too-many-attempts` */
function requireLook(decision: PinDecision): Extract<PinDecision, { readonly kind: 'look' }> {
  if (decision.kind === 'look') return decision
  const { text, retryAfterSeconds } = decision
  throw new Failure('too-many-attempts', text, { detail: { retryAfterSeconds } })
}
