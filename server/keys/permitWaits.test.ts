import { describe, expect, it } from 'vitest'
import type { QuotaChange, QuotaGrant } from '../store/quotas.ts'
import { createPermitBatches } from './permitBatches.ts'
import { createPermitReturns } from './permitReturns.ts'
import { createPermitWaits } from './permitWaits.ts'
import { openAccount, type QuotaOwner } from './quotaAccount.ts'

const day = 20_000
const key: QuotaOwner = { id: 'a key', kind: 'key', limit: 1_000 }
const shared: QuotaOwner = { id: 'an address', kind: 'shared', limit: 1_000 }

type Answer = (grant: { readonly granted: number; readonly taken: number } | Error) => void

/** Waits of one principal before a store whose answers the test gives, one after the other. */
function open(owner: QuotaOwner = key) {
  const clock = { ms: 0, day }
  const asked: { readonly takes: readonly QuotaChange[]; readonly returns: readonly QuotaChange[]; readonly answer: Answer }[] =
    []
  const later: { readonly ms: number; readonly work: () => void }[] = []
  const batches = createPermitBatches(
    ({ takes, returns }) =>
      new Promise<QuotaGrant[]>((resolve, reject) => {
        const answer: Answer = (given) => (given instanceof Error ? reject(given) : resolve(takes.map(() => given)))
        asked.push({ takes, returns, answer })
      }),
  )
  const today = () => clock.day
  const returns = createPermitReturns(batches, today)
  const waits = createPermitWaits(
    { batches, returns, today },
    { nowMs: () => clock.ms, after: (ms, work) => void later.push({ ms, work }) },
  )
  const account = openAccount(owner, day)
  /** What became of a request so far. */
  const wait = () => {
    const request: { outcome: unknown } = { outcome: 'waits' }
    waits.wait(account).then(
      (remaining) => Object.assign(request, { outcome: remaining ?? 'refused' }),
      (error: unknown) => Object.assign(request, { outcome: error instanceof Error ? error.message : error }),
    )
    return request
  }
  const answer: Answer = (grant) => asked.at(-1)?.answer(grant)
  return { clock, asked, later, waits, account, wait, answer }
}

/** All that is ready to run has run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

const uncounted = 'Requests cannot be counted right now. Try again'

describe('requests that wait for permits', () => {
  it('go on in their order once permits are persisted, with what remains of the day', async () => {
    const { wait, asked, answer } = open()
    const requests = [wait(), wait()]
    await settle()
    expect([requests.map(({ outcome }) => outcome), asked.length]).toEqual([['waits', 'waits'], 1])
    answer({ granted: 5, taken: 5 })
    await settle()
    expect(requests.map(({ outcome }) => outcome)).toEqual([999, 998])
  })

  it('ask the store once, however many wait, and again for who was left', async () => {
    const { wait, asked, answer } = open()
    const requests = Array.from({ length: 8 }, () => wait())
    await settle()
    answer({ granted: 5, taken: 5 })
    await settle()
    expect([requests.filter(({ outcome }) => outcome === 'waits').length, asked.length]).toEqual([3, 2])
    expect(asked[1]?.takes[0]?.want).toBeGreaterThanOrEqual(3)
    answer({ granted: 5, taken: 10 })
    await settle()
    expect([requests.filter(({ outcome }) => outcome === 'waits').length, asked.length]).toEqual([0, 2])
  })

  it('are refused when the day is used up, all of them, and are not asked for again in that second', async () => {
    const { wait, account, clock, answer } = open()
    clock.ms = 5_000
    const requests = [wait(), wait()]
    await settle()
    answer({ granted: 1, taken: 1_000 })
    await settle()
    expect(requests.map(({ outcome }) => outcome)).toEqual([0, 'refused'])
    expect(account.deniedUntilMs).toBe(6_000)
  })

  it('of a key are told that it is busy when the store fails: nothing is lent to a key', async () => {
    const { wait, account, answer } = open()
    const request = wait()
    await settle()
    answer(new Error('disk full'))
    await settle()
    expect([request.outcome, account.left, account.owed]).toEqual([uncounted, 0, 0])
  })

  it('without a key are lent 500 when the store fails, and then are told that it is busy', async () => {
    const { wait, answer } = open(shared)
    const requests = Array.from({ length: 501 }, () => wait())
    await settle()
    answer(new Error('disk full'))
    await settle()
    expect(requests.slice(498).map(({ outcome }) => outcome)).toEqual([501, 500, 'waits'])
    answer(new Error('disk full'))
    await settle()
    expect(requests[500]?.outcome).toBe(uncounted)
  })

  it('without a key are lent some after a second, when the store only hangs, and what was lent is taken with the next', async () => {
    const { wait, later, asked, account, answer } = open(shared)
    const request = wait()
    await settle()
    expect(later.map(({ ms }) => ms)).toEqual([1_000])
    later[0]?.work()
    await settle()
    expect([request.outcome, account.owed]).toEqual([999, 500])
    answer(new Error('gone'))
    await settle()
    const next = wait()
    await settle()
    expect(asked[1]?.takes[0]?.want).toBeGreaterThan(500)
    answer({ granted: 505, taken: 505 })
    await settle()
    expect([next.outcome, account.owed]).toEqual([998, 0])
  })

  it('of a key are lent nothing by a store that hangs', async () => {
    const { wait, later } = open(key)
    wait()
    await settle()
    expect(later).toEqual([])
  })

  it('that began before midnight are answered by the new day, to which the permits of the old one are worth nothing', async () => {
    const { wait, clock, asked, account, answer } = open()
    const request = wait()
    await settle()
    clock.day = day + 1
    answer({ granted: 5, taken: 5 })
    await settle()
    expect([request.outcome, account.left, asked[1]?.takes[0]?.day]).toEqual(['waits', 0, day + 1])
    answer({ granted: 5, taken: 5 })
    await settle()
    expect(request.outcome).toBe(999)
  })

  it('are a thousand of one principal at most, who are not refused with the next', async () => {
    const { wait, answer } = open({ ...key, limit: 1_000_000 })
    const requests = Array.from({ length: 1_000 }, () => wait())
    const next = wait()
    await settle()
    expect([next.outcome, requests[999]?.outcome]).toEqual(['Too many requests at once. Try again', 'waits'])
    answer({ granted: 1_000, taken: 1_000 })
    await settle()
    expect(requests[999]?.outcome).toBe(999_000)
    // Their places are free again.
    const after = wait()
    await settle()
    expect(after.outcome).toBe('waits')
  })
})

it('permits that come for a principal that is forgotten meanwhile are given back', async () => {
  const { wait, asked, account, answer } = open()
  const request = wait()
  await settle()
  account.evicted = true
  answer({ granted: 5, taken: 5 })
  await settle()
  expect([request.outcome, asked[1]?.returns]).toEqual([999, [{ principal: 'a key', kind: 'key', day, limit: 1_000, want: -4 }]])
})
