import type { PermitBatches } from './permitBatches.ts'
import type { Account } from './quotaAccount.ts'

/** The ways in which permits that were taken are given back. */
export type PermitReturns = {
  /** Gives back what is unspent, or has what was spent on credit persisted. */
  settle(account: Account): void
  /** A limit that was lowered leaves less to spend than was taken. */
  keepLimit(account: Account): void
}

/** Of yesterday nothing is given back: it is worth nothing any more. @param today days since 1970, UTC */
export function createPermitReturns(batches: PermitBatches, today: () => number): PermitReturns {
  const putBack = (account: Account, count: number) => {
    if (count <= 0) return
    account.left -= count
    account.taken -= count
    const { id, kind, limit, day } = account
    if (day === today()) batches.giveBack({ principal: id, kind, day, limit, want: -count })
  }
  const settle = (account: Account) => {
    const { id, kind, limit, day, left, owed } = account
    if (left >= owed) {
      putBack(account, left - owed)
      return
    }
    account.owed = 0
    account.left = 0
    if (day === today()) batches.take({ principal: id, kind, day, limit, want: owed - left }).catch(() => undefined)
  }
  const keepLimit = (account: Account) => putBack(account, Math.min(account.left, account.taken - account.limit))
  return { settle, keepLimit }
}
