import { lruLimit } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import type { QuotaKind } from '../store/quotas.ts'
import { dayNumber } from './dayNumber.ts'
import type { PermitBatches } from './permitBatches.ts'
import { createPermitReturns } from './permitReturns.ts'
import { createPermitWaits, type LedgerClock } from './permitWaits.ts'
import { type Account, leaseOf, openAccount, type QuotaOwner, remainingOf, startDay } from './quotaAccount.ts'

/** Principals whose permits are held at a time. */
const accountsMax = 20_000

export type QuotaLedger = {
  /**
   * Spends one permit of the owner's UTC day. Every permit is persisted as taken before it is spent; while the store is away
   * or has not answered for a second, clients without a key are lent a lease. A key is exact, whatever happens: it waits.
   * @param atMs now, by the ledger's clock, for who has just looked at it
   * @returns how many remain after it, undefined when the day is used up; at once when a permit is at hand
   * @throws Failure `busy`, as a rejection, when the store does not answer and the credit is used up
   */
  spend(owner: QuotaOwner, atMs: number): number | undefined | Promise<number | undefined>
  /** Permits of today that are taken and not spent: of one principal, or of all of a kind. */
  unspentOf(id: string): number
  unspentOfAll(kind: QuotaKind): number
  /** Puts all unspent permits back. Resolves when that is durable. */
  stop(): Promise<void>
}

/** The days of all principals, as far as permits of them are at hand. A permit at hand is spent without waiting. */
export function createQuotaLedger(batches: PermitBatches, clock: LedgerClock): QuotaLedger {
  const today = () => dayNumber(clock.nowMs() / 1000)
  const returns = createPermitReturns(batches, today)
  const waits = createPermitWaits({ batches, returns, today }, clock)
  const accounts = new LRUCache<string, Account>({
    ...lruLimit(accountsMax),
    dispose: (account) => {
      account.evicted = true
      if (!account.taking) returns.settle(account)
    },
  })

  return {
    spend: (owner, now) => {
      const day = dayNumber(now / 1000)
      let account = accounts.get(owner.id)
      if (!account) {
        account = openAccount(owner, day)
        accounts.set(owner.id, account)
      }
      startDay(account, day)
      if (account.limit !== owner.limit) {
        account.limit = owner.limit
        account.deniedUntilMs = 0
        returns.keepLimit(account)
      }
      // Those who wait already come first.
      if (account.left > 0 && account.waiting.length === 0) {
        account.left -= 1
        if (!account.taking && account.taken < account.limit && account.left <= leaseOf(account) / 4) void waits.take(account)
        return remainingOf(account)
      }
      if (now < account.deniedUntilMs) return undefined
      return waits.wait(account)
    },
    unspentOf: (id) => {
      const account = accounts.peek(id)
      return account?.day === today() ? account.left : 0
    },
    unspentOfAll: (kind) => {
      let sum = 0
      for (const account of accounts.values()) if (account.kind === kind && account.day === today()) sum += account.left
      return sum
    },
    stop: async () => {
      await batches.settled()
      for (const account of accounts.values()) returns.settle(account)
      await batches.settled()
    },
  }
}
