import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PinCounter, PinCounters } from '../store/pinFailures.ts'
import { charge, chargeWrong, type PinLimit, type PinRule, pickLimits, pinRules, settle, waitSeconds } from './pinGuard.ts'

const start = 1_700_000_000
const day = 86_400
const limit = (rule: PinRule, subject = 'x'): PinLimit => ({ subject, rule })

/** Tries whenever it may, until so long after. @returns the seconds since the start at which it tried */
function tryAlways(limits: readonly PinLimit[], seconds: number): number[] {
  const tries: number[] = []
  let counters: PinCounters = new Map()
  for (let now = start; now <= start + seconds; ) {
    const wait = waitSeconds(limits, counters, now)
    now += wait
    if (wait > 0) continue
    counters = charge(limits, counters, now)
    tries.push(now - start)
  }
  return tries
}

describe('who keeps typing wrong PINs', () => {
  it('of an account, from ever new addresses, comes in 21 times, and then once in two and a half days: 33 in 30 days', () => {
    const tries = tryAlways([limit(pinRules.account)], 30 * day)
    expect(tries.slice(0, 23)).toEqual([...Array(21).fill(0), 2.5 * day, 5 * day])
    expect(tries).toHaveLength(33)
  })

  it('of an account, from one address, waits 30 s, then up to an hour, 20 times in all, and then comes in once in three days', () => {
    const tries = tryAlways([limit(pinRules.clientAccount)], 30 * day - 1)
    const first = [0, 0, 0, 30, 90, 210, 450, 930, 1_890, 3_810, ...Array.from({ length: 10 }, (_, i) => 7_410 + i * 3_600)]
    expect(tries.slice(0, 20)).toEqual(first)
    expect(tries.slice(20).map((at) => at / day)).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27])
  })

  it('from one address over all accounts, waits up to an hour', () => {
    const tries = tryAlways([limit(pinRules.client)], day)
    expect(tries.slice(0, 10)).toEqual([0, 0, 0, 0, 0, 0, 30, 90, 210, 450])
    expect(tries).toHaveLength(36)
    const pauses = tries.slice(1).map((at, i) => at - (tries[i] ?? 0))
    expect(Math.max(...pauses)).toBe(3_600)
  })

  it('in his own browser, is slowed down: 50 in 30 days at most', () => {
    const tries = tryAlways([limit(pinRules.browser)], 30 * day)
    expect(tries.slice(0, 5)).toEqual([0, 0, 0, 30, 90])
    expect(tries.length).toBeLessThanOrEqual(50)
  })

  it('with a sign-in code, has three in the quarter of an hour that it lives', () => {
    expect(tryAlways([limit(pinRules.code)], 15 * 60 - 1)).toEqual([0, 0, 0])
  })

  it('waits for the strictest of what is counted', () => {
    const both = [limit(pinRules.client, 'a'), limit(pinRules.account, 'b')]
    const blocked: PinCounters = new Map([['a', { emptyAtSeconds: 0, blockedUntilSeconds: start + 7 }]])
    expect(waitSeconds(both, blocked, start)).toBe(7)
  })
})

describe('the right PIN', () => {
  it('takes its own attempt off, and leaves those of others where strangers count', () => {
    const limits = [limit(pinRules.account)]
    let counters = charge(limits, charge(limits, new Map(), start), start)
    counters = settle(limits, charge(limits, counters, start + 5))
    expect(counters).toEqual(new Map([['x', { emptyAtSeconds: start + 5 * day, blockedUntilSeconds: 0 }]]))
  })

  it('forgets the tries of a known browser, whether anybody came to see what they were, and none that was wrong', () => {
    const limits = [limit(pinRules.browser, 'tries'), limit(pinRules.browserWrong, 'wrong')]
    const empty = { emptyAtSeconds: 0, blockedUntilSeconds: 0 }
    let counters = charge(limits, new Map(), start)
    expect(counters).toEqual(new Map([['tries', { emptyAtSeconds: start + day, blockedUntilSeconds: start }]]))
    counters = new Map([...counters, ...chargeWrong(limits, counters, start)])
    counters = new Map([...counters, ...settle(limits, charge(limits, counters, start))])
    expect(counters).toEqual(
      new Map([
        ['tries', empty],
        ['wrong', { emptyAtSeconds: start + day, blockedUntilSeconds: start }],
      ]),
    )
  })

  it('gives whoever shares the browser no new tries: 50 in 30 days, however often the owner signs in', () => {
    const limits = [limit(pinRules.browser, 'tries'), limit(pinRules.browserWrong, 'wrong')]
    for (const everySeconds of [600, 3_600, day]) {
      let counters: PinCounters = new Map()
      let wrong = 0
      for (let now = start; now < start + 30 * day; now += 600) {
        if ((now - start) % everySeconds === 0 && waitSeconds(limits, counters, now) === 0)
          counters = new Map([...counters, ...settle(limits, charge(limits, counters, now))])
        while (waitSeconds(limits, counters, now) === 0) {
          counters = new Map([...counters, ...charge(limits, counters, now)])
          counters = new Map([...counters, ...chargeWrong(limits, counters, now)])
          wrong += 1
        }
      }
      expect([everySeconds, wrong]).toEqual([everySeconds, 49])
    }
  })
})

it('one PIN tried by strangers on many accounts fails on 9 in 30 days, and from one address on 3 at once', () => {
  const daysOfTries = (rule: PinRule) => tryAlways([limit(rule)], 30 * day - 1).map((at) => at / day)
  expect(daysOfTries(pinRules.guess)).toEqual([...Array(5).fill(0), 7.5, 15, 22.5])
  expect(tryAlways([limit(pinRules.guess)], 30 * day)).toHaveLength(9)
  expect(daysOfTries(pinRules.clientGuess)).toEqual([0, 0, 0, 7.5, 15, 22.5])
})

it('one easy PIN tried by strangers on many accounts fails on two in a month', () => {
  expect(tryAlways([limit(pinRules.easyGuess)], 30 * day - 1)).toEqual([0, 0])
  expect(tryAlways([limit(pinRules.clientEasyGuess)], 30 * day - 1)).toEqual([0])
})

it('one address alone fills no counter that others share: neither that of an account, nor that of a PIN', () => {
  // In any time t it may fail `burst + t / forgetSeconds` times: less at once, and never faster than the shared one forgets.
  for (const [own, shared] of [
    [pinRules.clientAccount, pinRules.account],
    [pinRules.clientGuess, pinRules.guess],
    [pinRules.clientEasyGuess, pinRules.easyGuess],
    [pinRules.clientEasy, pinRules.easy],
  ] as const) {
    expect(own.burst).toBeLessThan(shared.burst)
    expect(own.forgetSeconds).toBeGreaterThanOrEqual(shared.forgetSeconds)
  }
  // Nor does it make others wait.
  expect(pinRules.clientAccount.burst).toBeLessThanOrEqual(pinRules.account.freeFailures)
})

it('in no 30 days, whenever they begin and however tries are spread, strangers fail more often than 33 times on an account', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: day }), { minLength: 1, maxLength: 400 })
  fc.assert(
    fc.property(gaps, (pauses) => {
      const limits = [limit(pinRules.account)]
      const tries: number[] = []
      let counters: PinCounters = new Map()
      let now = start
      for (const gap of pauses) {
        now += gap
        if (waitSeconds(limits, counters, now) > 0) continue
        counters = charge(limits, counters, now)
        tries.push(now)
      }
      for (const from of tries)
        expect(tries.filter((at) => at >= from && at <= from + 30 * day - 1).length).toBeLessThanOrEqual(33)
    }),
  )
})

describe('a PIN that strangers have used up', () => {
  const once = { unless: 'pair' } as const
  const ofPin: PinLimit = { subject: 'pin', rule: pinRules.guess, part: 'pin', ...once }
  const reserve: PinLimit = { subject: 'reserve', rule: pinRules.reserve, part: 'reserve', ...once }
  const spent: [string, PinCounter] = ['pin', { emptyAtSeconds: start + 5 * 7.5 * day, blockedUntilSeconds: 0 }]
  const namesOf = (limits: readonly PinLimit[], counters: PinCounters) =>
    pickLimits(limits, counters, start).map(({ subject }) => subject)

  it('is tried from the reserve then, and only then', () => {
    expect(namesOf([ofPin, reserve], new Map())).toEqual(['pin'])
    expect(namesOf([ofPin, reserve], new Map([spent]))).toEqual(['reserve'])
    // Chosen before, and chosen once more when it is counted.
    expect(namesOf([reserve], new Map([spent]))).toEqual(['reserve'])
  })

  it('waits when there is no reserve for it, and counts nothing on an account it was tried on', () => {
    expect(namesOf([ofPin], new Map([spent]))).toEqual(['pin'])
    const tried: [string, PinCounter] = ['pair', { emptyAtSeconds: start + 1, blockedUntilSeconds: 0 }]
    expect(namesOf([ofPin, reserve], new Map([spent, tried]))).toEqual([])
  })

  it('comes in twelve times at once, then once an hour, for everybody together; three times from one address', () => {
    const of = (rule: PinRule) => tryAlways([limit(rule)], 3 * 3_600)
    expect(of(pinRules.reserve)).toEqual([...Array(12).fill(0), 3_600, 7_200, 10_800])
    expect(of(pinRules.clientReserve)).toEqual([0, 0, 0, 3_600, 7_200, 10_800])
  })
})
