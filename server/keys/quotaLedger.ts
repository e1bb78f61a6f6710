import { Failure } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import type { QuotaKind } from '../store/quotas.ts'
import { dayNumber } from './dayNumber.ts'
import type { PermitBatches } from './permitBatches.ts'

/** Permits taken at once: few for whoever comes once, more for whoever has used up the last ones within a second. */
const leaseMin = 5
const leaseMax = 500
/** Of a day with more than so many leases one is a thousandth of the day: a busy key does not cost ten transactions a second. */
const leasesOfDayMax = 1_000
const fastMs = 1_000
/** A lease is at most this part of what is left of the day, so that the last permits are not held back. */
const leasePart = 4
/** After a day was found used up, it is not looked at again for so long. */
const deniedMs = 1_000
/** Principals whose permits are held at a time. */
const accountsMax = 20_000
/** Requests that may wait for permits. */
const waitingMax = 10_000
/** Of one principal: it takes many to keep the others out. */
const waitingOfAccountMax = 1_000

/** Whose permits: `limit` is what a day has. */
export type QuotaOwner = { readonly id: string; readonly kind: QuotaKind; readonly limit: number }

/** Permits that a client without a key may spend on credit while the store is away: a kill then loses no more than these. */
const creditMax = leaseMax
/** A store that has not answered for so long counts as away: a database that hangs refuses nothing. */
const creditAfterMs = 1_000

type Waiting = { readonly resolve: (remaining: number | undefined) => void; readonly reject: (error: unknown) => void }

/**
 * `taken`: persisted as taken, here or by other servers, as of the last answer, and `owed` besides: taken on credit, to be
 * persisted with the next ones. `left`: of these, not spent yet.
 */
type Account = {
  readonly id: string
  readonly kind: QuotaKind
  limit: number
  day: number
  taken: number
  left: number
  owed: number
  lease: number
  takenAtMs: number
  taking: boolean
  /** Credit is looked at in a moment. */
  hoping: boolean
  deniedUntilMs: number
  evicted: boolean
  readonly waiting: Waiting[]
}

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

export type LedgerClock = {
  readonly nowMs: () => number
  /** Does something so much later. */
  readonly after: (ms: number, work: () => void) => void
}

export function createQuotaLedger(batches: PermitBatches, { nowMs, after }: LedgerClock): QuotaLedger {
  let waitingCount = 0
  const today = () => dayNumber(nowMs() / 1000)

  const putBack = (account: Account, count: number) => {
    if (count <= 0) return
    account.left -= count
    account.taken -= count
    const { id, kind, limit, day } = account
    if (day === today()) batches.giveBack({ principal: id, kind, day, limit, want: -count })
  }
  /** Gives back what is unspent, or has what was spent on credit persisted. */
  const settle = (account: Account) => {
    const { id, kind, limit, day, left, owed } = account
    if (left >= owed) return putBack(account, left - owed)
    account.owed = 0
    account.left = 0
    if (day === today()) batches.take({ principal: id, kind, day, limit, want: owed - left }).catch(() => undefined)
  }
  /** A limit that was lowered leaves less to spend than was taken. */
  const keepLimit = (account: Account) => putBack(account, Math.min(account.left, account.taken - account.limit))
  const accounts = new LRUCache<string, Account>({
    max: accountsMax,
    dispose: (account) => {
      account.evicted = true
      if (!account.taking) settle(account)
    },
  })

  const serve = (account: Account) => {
    while (account.waiting.length > 0 && account.left > 0) {
      account.left -= 1
      account.waiting.shift()?.resolve(remainingOf(account))
    }
    // More comes with the answer.
    if (account.taking) return
    if (account.waiting.length === 0) {
      if (account.evicted) settle(account)
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
        keepLimit(account)
      }
      serve(account)
    } catch {
      account.taking = false
      startDay(account, today())
      if (lend(account)) return serve(account)
      const busy = toBusy('Requests cannot be counted right now. Try again')
      for (const { reject } of account.waiting.splice(0)) reject(busy)
      if (account.evicted) settle(account)
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
        keepLimit(account)
      }
      // Whoever waits already comes first.
      if (account.left > 0 && account.waiting.length === 0) {
        account.left -= 1
        if (!account.taking && account.taken < account.limit && account.left <= leaseOf(account) / 4) void take(account)
        return remainingOf(account)
      }
      if (now < account.deniedUntilMs) return undefined
      return wait(account)
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
      for (const account of accounts.values()) settle(account)
      await batches.settled()
    },
  }
}

/** Lends permits that cannot be persisted now. @returns whether there are some */
function lend(account: Account): boolean {
  const { kind, limit, taken, owed } = account
  if (kind !== 'shared') return false
  const count = Math.min(creditMax - owed, limit - taken)
  if (count <= 0) return false
  account.left += count
  account.owed += count
  account.taken += count
  return true
}

function openAccount({ id, kind, limit }: QuotaOwner, day: number): Account {
  return {
    id,
    kind,
    limit,
    day,
    taken: 0,
    left: 0,
    owed: 0,
    lease: leaseMin,
    takenAtMs: Number.NEGATIVE_INFINITY,
    taking: false,
    hoping: false,
    deniedUntilMs: 0,
    evicted: false,
    waiting: [],
  }
}

/** Another day begins with nothing: neither its permits nor its refusals are those of the one before. */
function startDay(account: Account, day: number): void {
  if (account.day === day) return
  account.day = day
  account.taken = 0
  account.left = 0
  account.owed = 0
  account.deniedUntilMs = 0
}

export function toBusy(text: string): Failure {
  return new Failure('busy', text, { retryable: true, detail: { retryAfterSeconds: 1 } })
}

/** Permits to have at hand, this moment's spending and what is left of the day considered. */
function leaseOf({ lease, limit, taken }: Account): number {
  return Math.max(1, Math.min(lease, Math.floor((limit - taken) / leasePart)))
}

/** How many to take: enough for all who wait, and at least so many that a lease is at hand. Never 0. */
function wantOf(account: Account, nowMs: number): number {
  const fast = nowMs - account.takenAtMs < fastMs
  const max = Math.max(leaseMax, Math.floor(account.limit / leasesOfDayMax))
  account.lease = Math.min(max, Math.max(leaseMin, fast ? account.lease * 2 : Math.floor(account.lease / 2)))
  account.takenAtMs = nowMs
  return Math.max(1, account.waiting.length, leaseOf(account) - account.left)
}

/** Exact with one server; with several, less by what the others hold unspent. */
function remainingOf({ limit, taken, left }: Account): number {
  return Math.max(0, limit - taken + left)
}
