import { describe, expect, it } from 'vitest'
import { type Account, leaseOf, lend, openAccount, remainingOf, startDay, wantOf } from './quotaAccount.ts'

const open = (given: Partial<Account> = {}): Account => ({
  ...openAccount({ id: 'one', kind: 'shared', limit: 100_000 }, 20_000),
  ...given,
})
/** What is wanted at each of these moments, one after the other. */
const wantsAt = (account: Account, moments: readonly number[]) => moments.map((ms) => wantOf(account, ms))
const waiter = { resolve: () => undefined, reject: () => undefined }

describe('how many permits are taken at once', () => {
  it('few for whoever comes once, ever more for whoever comes back within a second, up to 500', () => {
    const moments = [0, 999, 1_998, 2_000, 2_001, 2_002, 2_003, 2_004, 2_005]
    expect(wantsAt(open(), moments)).toEqual([5, 10, 20, 40, 80, 160, 320, 500, 500])
  })

  it('of a very large day a thousandth, so that a busy key does not wait for the store all the time', () => {
    const account = open({ limit: 2_000_000 })
    expect(wantsAt(account, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).slice(-4)).toEqual([640, 1_280, 2_000, 2_000])
  })

  it('fewer again for whoever slows down: a whole second is slow', () => {
    const account = open({ lease: 500, takenAtMs: 0 })
    expect(wantsAt(account, [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000])).toEqual([250, 125, 62, 31, 15, 7, 5, 5])
  })

  it('a quarter of what is left of the day at the most, and one to the last', () => {
    const leases = [0, 80, 90, 97, 99, 100].map((taken) => leaseOf(open({ limit: 100, taken, lease: 500 })))
    expect(leases).toEqual([25, 5, 2, 1, 1, 1])
  })

  it('one where the limit was lowered below what is taken', () => {
    expect(leaseOf(open({ limit: 100, taken: 5_000, lease: 500 }))).toBe(1)
  })

  it('enough for everybody who waits', () => {
    expect(wantOf(open({ waiting: Array.from({ length: 40 }, () => waiter) }), 0)).toBe(40)
  })

  it('one where a lease is at hand already: nobody asks the store for none, or for fewer', () => {
    expect(wantOf(open({ left: 3 }), 0)).toBe(2)
    expect(wantOf(open({ left: 400 }), 0)).toBe(1)
  })
})

describe('credit while the store is away', () => {
  it('is 500, once', () => {
    const account = open()
    expect([lend(account), account.left, account.owed, account.taken]).toEqual([true, 500, 500, 500])
    expect([lend(account), account.left, account.owed, account.taken]).toEqual([false, 500, 500, 500])
  })

  it('is what 500 leave of what is owed already', () => {
    const account = open({ owed: 200, taken: 200, left: 0 })
    expect([lend(account), account.left, account.owed, account.taken]).toEqual([true, 300, 500, 500])
  })

  it('never goes beyond the day', () => {
    const account = open({ limit: 300, taken: 290, left: 4 })
    expect([lend(account), account.left, account.owed, account.taken]).toEqual([true, 14, 10, 300])
    expect(lend(account)).toBe(false)
  })

  it.each([
    ['a key: it is for clients without one', open({ kind: 'key' })],
    ['a day that is used up', open({ limit: 300, taken: 300 })],
    ['a limit that was lowered below what is taken', open({ limit: 300, taken: 400 })],
  ])('is none for %s', (_, account) => {
    const before = { ...account }
    expect([lend(account), account]).toEqual([false, before])
  })
})

describe('a day', () => {
  const spent = { taken: 70, left: 7, owed: 9, deniedUntilMs: 5, lease: 40, limit: 70 }

  it('goes on with what it has', () => {
    const account = open(spent)
    startDay(account, 20_000)
    expect(account).toEqual(open(spent))
  })

  it('begins with nothing taken, lent or refused the day before', () => {
    const account = open(spent)
    startDay(account, 20_001)
    expect(account).toEqual(open({ lease: 40, limit: 70, day: 20_001 }))
  })

  it('has left what nobody took and what is at hand, and never less than nothing', () => {
    const left = [100, 60, 50].map((limit) => remainingOf(open({ limit, taken: 60, left: 5 })))
    expect(left).toEqual([45, 5, 0])
  })
})
