import { expect, test } from 'vitest'
import type { QuotaChange, QuotaGrant } from '../store/quotas.ts'
import { createPermitBatches } from './permitBatches.ts'

const change = (principal: string, want = 1, day = 20_000): QuotaChange => ({ principal, kind: 'shared', day, limit: 100, want })
/** As `returns`/`takes` of a transaction: principals, with what they want. */
const list = (changes: readonly QuotaChange[]) => changes.map(({ principal, want }) => `${principal} ${want}`)

/** Batches into a store that grants what is wanted, unless `answer` says otherwise for a transaction. */
function open(answer: (at: number) => QuotaGrant[] | undefined | Promise<undefined> = () => undefined) {
  const saved: { returns: string[]; takes: string[] }[] = []
  const batches = createPermitBatches(async ({ returns, takes }) => {
    saved.push({ returns: list(returns), takes: list(takes) })
    return (await answer(saved.length)) ?? takes.map(({ want }) => ({ granted: want, taken: want }))
  })
  return { saved, batches }
}

test('what one moment asks for is one transaction, and everybody gets the own grant', async () => {
  const { saved, batches } = open()
  const grants = await Promise.all(['a', 'b', 'c'].map((name, i) => batches.take(change(name, i + 1))))
  expect(grants.map(({ granted }) => granted)).toEqual([1, 2, 3])
  expect(saved).toEqual([{ returns: [], takes: ['a 1', 'b 2', 'c 3'] }])
})

test('one who asks again and again is in each transaction once, and keeps nobody out of the first', async () => {
  const { saved, batches } = open()
  await Promise.all([change('greedy', 1), change('greedy', 2), change('greedy', 3), change('b')].map(batches.take))
  expect(saved.map(({ takes }) => takes)).toEqual([['greedy 1', 'b 1'], ['greedy 2'], ['greedy 3']])
})

test('at midnight one takes of two days at once', async () => {
  const { saved, batches } = open()
  await Promise.all([batches.take(change('a', 1, 20_000)), batches.take(change('a', 2, 20_001))])
  expect(saved.map(({ takes }) => takes)).toEqual([['a 1', 'a 2']])
})

test('a crowd goes a thousand at a time', async () => {
  const { saved, batches } = open()
  await Promise.all(Array.from({ length: 2_001 }, (_, i) => batches.take(change(`p${i}`))))
  expect(saved.map(({ takes }) => takes.length)).toEqual([1_000, 1_000, 1])
})

test('a crowd gives back a thousand at a time, and nothing of it is lost', async () => {
  const { saved, batches } = open()
  for (let i = 0; i < 1_001; i += 1) batches.giveBack(change(`p${i}`, -1))
  await batches.settled()
  expect(saved.map(({ returns }) => returns.length)).toEqual([1_000, 1])
})

test('a transaction that fails fails for all in it, and the next one is tried', async () => {
  const down = new TypeError('the store is away')
  const { saved, batches } = open((at) => {
    if (at === 1) throw down
    return undefined
  })
  const first = await Promise.allSettled([batches.take(change('a')), batches.take(change('b')), batches.take(change('a', 7))])
  expect(first).toEqual([
    { status: 'rejected', reason: down },
    { status: 'rejected', reason: down },
    { status: 'fulfilled', value: { granted: 7, taken: 7 } },
  ])
  expect(saved).toHaveLength(2)
})

test('a store that grants to fewer than asked gives nobody what is not his', async () => {
  const { batches } = open(() => [{ granted: 5, taken: 5 }])
  const [a, b] = await Promise.allSettled([batches.take(change('a', 5)), batches.take(change('b', 5))])
  expect(a).toEqual({ status: 'fulfilled', value: { granted: 5, taken: 5 } })
  expect(b).toMatchObject({ status: 'rejected', reason: { message: '1 grants for 2 changes' } })
})

test('what one gives back is added up for each day, and goes with the next transaction', async () => {
  const { saved, batches } = open()
  batches.giveBack(change('a', -3))
  batches.giveBack(change('a', -4))
  batches.giveBack(change('a', -5, 20_001))
  await batches.take(change('b'))
  expect(saved).toEqual([{ returns: ['a -7', 'a -5'], takes: ['b 1'] }])
})

test('what could not be given back is lost for the day: it may have arrived, and is never given twice', async () => {
  const { saved, batches } = open((at) => {
    if (at === 1) throw new TypeError('the answer was lost')
    return undefined
  })
  batches.giveBack(change('a', -3))
  await batches.settled()
  await batches.take(change('b'))
  expect(saved).toEqual([
    { returns: ['a -3'], takes: [] },
    { returns: [], takes: ['b 1'] },
  ])
})

test('settles when what is under way is done, and what came meanwhile, not before', async () => {
  const slow = Promise.withResolvers<undefined>()
  const { saved, batches } = open((at) => {
    if (at > 1) return undefined
    batches.giveBack(change('late', -1))
    return slow.promise
  })
  batches.giveBack(change('a', -1))
  const state = { isSettled: false }
  const settling = batches.settled().then(() => Object.assign(state, { isSettled: true }))
  await new Promise(setImmediate)
  expect([state.isSettled, saved.length]).toEqual([false, 1])
  slow.resolve(undefined)
  await settling
  expect(saved.map(({ returns }) => returns)).toEqual([['a -1'], ['late -1']])
})
