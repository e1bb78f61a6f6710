import { expect, test } from 'vitest'
import type { QuotaChange } from '../store/quotas.ts'
import { createPermitReturns } from './permitReturns.ts'
import { type Account, openAccount } from './quotaAccount.ts'

/** Returns on a day, and what they ask of the store. */
function open(today = 20_000, take: () => Promise<never> = () => Promise.reject(new TypeError('the store is away'))) {
  const asked: string[] = []
  const note = (how: string, { principal, kind, day, limit, want }: QuotaChange) =>
    asked.push(`${how} ${principal} ${kind} ${day} ${limit} ${want}`)
  const returns = createPermitReturns(
    {
      take: (change) => {
        note('take', change)
        return take()
      },
      giveBack: (change) => void note('back', change),
      settled: async () => undefined,
    },
    () => today,
  )
  return { asked, returns }
}

const account = (given: Partial<Account>): Account => ({
  ...openAccount({ id: 'one', kind: 'shared', limit: 100 }, 20_000),
  ...given,
})
const stateOf = ({ left, taken, owed }: Account) => ({ left, taken, owed })

test('what is unspent is given back, once', () => {
  const { asked, returns } = open()
  const own = account({ left: 7, taken: 30 })
  returns.settle(own)
  returns.settle(own)
  expect([asked, stateOf(own)]).toEqual([['back one shared 20000 100 -7'], { left: 0, taken: 23, owed: 0 }])
})

test('what was lent and not spent is owed to nobody: only the rest is given back', () => {
  const { asked, returns } = open()
  returns.settle(account({ left: 9, owed: 5, taken: 30 }))
  expect(asked).toEqual(['back one shared 20000 100 -4'])
})

test('what was spent on credit is persisted, also by a store that does not answer', async () => {
  const { asked, returns } = open()
  const own = account({ left: 2, owed: 12, taken: 30 })
  returns.settle(own)
  returns.settle(own)
  await new Promise(setImmediate)
  expect([asked, own.left, own.owed]).toEqual([['take one shared 20000 100 10'], 0, 0])
})

test('of yesterday nothing is given back or persisted', () => {
  const { asked, returns } = open(20_001)
  returns.settle(account({ left: 7, taken: 30 }))
  returns.settle(account({ left: 2, owed: 12, taken: 30 }))
  expect(asked).toEqual([])
})

test.each([
  ['what is beyond a lowered limit', { limit: 80, taken: 100, left: 30 }, ['back one shared 20000 80 -20'], 10],
  ['no more than is at hand', { limit: 80, taken: 100, left: 5 }, ['back one shared 20000 80 -5'], 0],
  ['nothing of a limit that is kept', { limit: 100, taken: 100, left: 30 }, [], 30],
  ['nothing of a limit that was raised', { limit: 500, taken: 100, left: 30 }, [], 30],
])('gives back %s', (_, given, expected, left) => {
  const { asked, returns } = open()
  const own = account(given)
  returns.keepLimit(own)
  expect([asked, own.left]).toEqual([expected, left])
})
