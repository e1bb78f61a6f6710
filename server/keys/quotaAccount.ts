import type { QuotaKind } from '../store/quotas.ts'

// The state of one principal's day, and the rules by which it changes. Pure, but for the account that is passed in.

/** Permits taken at once: few at first, more for a principal that has used up the last ones within a second. */
const leaseMin = 5
const leaseMax = 500
/** Of a day with more than so many leases one is a thousandth of the day: a busy key does not cost ten transactions a second. */
const leasesOfDayMax = 1_000
const fastMs = 1_000
/** A lease is at most this part of what is left of the day, so that the last permits are not held back. */
const leasePart = 4

/** Permits that a client without a key may spend on credit while the store is away: a kill then loses no more than these. */
const creditMax = leaseMax

/** Whose permits: `limit` is what a day has. */
export type QuotaOwner = { readonly id: string; readonly kind: QuotaKind; readonly limit: number }

type Waiting = { readonly resolve: (remaining: number | undefined) => void; readonly reject: (error: unknown) => void }

/**
 * `taken`: persisted as taken, here or by other servers, as of the last answer, and `owed` besides: taken on credit, to be
 * persisted with the next ones. `left`: of these, not spent yet.
 */
export type Account = {
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

/** A day of which nothing is taken. */
export function openAccount({ id, kind, limit }: QuotaOwner, day: number): Account {
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
export function startDay(account: Account, day: number): void {
  if (account.day === day) return
  account.day = day
  account.taken = 0
  account.left = 0
  account.owed = 0
  account.deniedUntilMs = 0
}

/** Lends permits that cannot be persisted now. @returns whether there are some */
export function lend(account: Account): boolean {
  const { kind, limit, taken, owed } = account
  if (kind !== 'shared') return false
  const count = Math.min(creditMax - owed, limit - taken)
  if (count <= 0) return false
  account.left += count
  account.owed += count
  account.taken += count
  return true
}

/** Permits to have at hand, this moment's spending and what is left of the day considered. */
export function leaseOf({ lease, limit, taken }: Account): number {
  return Math.max(1, Math.min(lease, Math.floor((limit - taken) / leasePart)))
}

/** How many to take: enough for all who wait, and at least so many that a lease is at hand. Never 0. */
export function wantOf(account: Account, nowMs: number): number {
  const fast = nowMs - account.takenAtMs < fastMs
  const max = Math.max(leaseMax, Math.floor(account.limit / leasesOfDayMax))
  account.lease = Math.min(max, Math.max(leaseMin, fast ? account.lease * 2 : Math.floor(account.lease / 2)))
  account.takenAtMs = nowMs
  return Math.max(1, account.waiting.length, leaseOf(account) - account.left)
}

/** Exact with one server; with several, less by what the others hold unspent. */
export function remainingOf({ limit, taken, left }: Account): number {
  return Math.max(0, limit - taken + left)
}
