import { toBusy } from './busy.ts'
import type { PermitBatches } from './permitBatches.ts'
import type { PermitReturns } from './permitReturns.ts'
import { type Account, lend, remainingOf, startDay, wantOf } from './quotaAccount.ts'

/** After a day was found used up, it is not looked at again for so long. */
const deniedMs = 1_000
/** Requests that may wait for permits. */
const waitingMax = 10_000
/** Of one principal: it takes many to keep the others out. */
const waitingOfAccountMax = 1_000
/** A store that has not answered for so long counts as away: a database that hangs refuses nothing. */
const creditAfterMs = 1_000

/** A clock whose waits a test can end. */
export type LedgerClock = {
  readonly nowMs: () => number
  /** Does something so much later. */
  readonly after: (ms: number, work: () => void) => void
}

export type PermitWaits = {
  /** Takes permits for all who wait, and some to have at hand. Never rejects. */
  take(account: Account): Promise<void>
  /** @returns how many remain, once a permit was taken; undefined when the day is used up. @throws Failure `busy`, as a rejection */
  wait(account: Account): Promise<number | undefined>
}

type Parts = { readonly batches: PermitBatches; readonly returns: PermitReturns; readonly today: () => number }

/** Requests that wait for permits, and the taking of permits for them: one at a time for each principal. */
export function createPermitWaits({ batches, returns, today }: Parts, { nowMs, after }: LedgerClock): PermitWaits {
  let waitingCount = 0

  const serve = (account: Account) => {
    while (account.waiting.length > 0 && account.left > 0) {
      account.left -= 1
      account.waiting.shift()?.resolve(remainingOf(account))
    }
    // More comes with the answer.
    if (account.taking) return
    if (account.waiting.length === 0) {
      if (account.evicted) returns.settle(account)
      return
    }
    if (account.taken < account.limit) return void take(account)
    account.deniedUntilMs = nowMs() + deniedMs
    for (const { resolve } of account.waiting.splice(0)) resolve(undefined)
  }

  const take = async (account: Account) => {
    account.taking = true
    const { id, kind, limit, day, owed } = account
    try {
      const want = wantOf(account, nowMs()) + owed
      const { granted, taken } = await batches.take({ principal: id, kind, day, limit, want })
      account.taking = false
      startDay(account, today())
      // Permits of yesterday are worth nothing any more.
      if (account.day === day) {
        account.left = Math.max(0, account.left + granted - owed)
        account.owed -= owed
        account.taken = taken + account.owed
        returns.keepLimit(account)
      }
      serve(account)
    } catch {
      account.taking = false
      startDay(account, today())
      if (lend(account)) return serve(account)
      refuseAll(account)
      if (account.evicted) returns.settle(account)
    }
  }

  const hope = (account: Account) => {
    if (account.hoping || account.kind !== 'shared') return
    account.hoping = true
    after(creditAfterMs, () => {
      account.hoping = false
      if (!account.taking || account.waiting.length === 0) return
      startDay(account, today())
      if (lend(account)) serve(account)
    })
  }

  const wait = (account: Account): Promise<number | undefined> => {
    if (waitingCount >= waitingMax || account.waiting.length >= waitingOfAccountMax)
      return Promise.reject(toBusy('Too many requests at once. Try again'))
    waitingCount += 1
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    account.waiting.push({ resolve, reject })
    if (!account.taking) void take(account)
    hope(account)
    return promise.finally(() => {
      waitingCount -= 1
    })
  }

  return { take, wait }
}

function refuseAll({ waiting }: Account): void {
  const busy = toBusy('Requests cannot be counted right now. Try again')
  for (const { reject } of waiting.splice(0)) reject(busy)
}
