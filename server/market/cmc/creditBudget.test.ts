import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monthOf, planCredits, startOfNextDayMs, startOfNextMonthMs, waitMsForCredits } from './creditBudget.ts'

const at = (text: string) => Date.parse(text)

describe('the plan of a month', () => {
  it('asks for 100 listed tokens every 224 s, which is 11,958 of 12,000 credits', () => {
    expect(planCredits({ listedCoins: 100, dexPairs: 0, creditsPerMonth: 12_000 })).toEqual({
      listedSeconds: 224,
      dexSeconds: 60,
      listedCreditsPerMonth: 11_958,
      dexCreditsPerMonth: 0,
    })
  })

  it('asks half as often, or more seldom, for one token more than a credit pays for', () => {
    // 101 coins are 2 credits: 2,678,400 s / 6,000 readings = 446.4 s.
    expect(planCredits({ listedCoins: 101, dexPairs: 0, creditsPerMonth: 12_000 }).listedSeconds).toBe(447)
  })

  it('leaves half to pairs of the DEX, a credit each', () => {
    // Listing: 2,678,400 / 6,000 = 446.4 s, 5,992 readings. The other 6,008 credits are 600 readings of 10 pairs: 4,464 s.
    expect(planCredits({ listedCoins: 100, dexPairs: 10, creditsPerMonth: 12_000 })).toEqual({
      listedSeconds: 447,
      dexSeconds: 4_464,
      listedCreditsPerMonth: 5_992,
      dexCreditsPerMonth: 6_000,
    })
  })

  it('never asks more than once a minute, however many credits there are', () => {
    const plan = planCredits({ listedCoins: 100, dexPairs: 1, creditsPerMonth: 1_000_000_000 })
    expect(plan).toMatchObject({ listedSeconds: 60, dexSeconds: 60 })
  })

  it('stays within the credits, whatever is asked for', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 50_000 }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 2_000, max: 1_000_000 }),
        (listedCoins, dexPairs, creditsPerMonth) => {
          // A single reading of all pairs may cost more than the month has: the account refuses it then.
          fc.pre(dexPairs <= creditsPerMonth / 4 && Math.ceil(listedCoins / 100) <= creditsPerMonth / 4)
          const plan = planCredits({ listedCoins, dexPairs, creditsPerMonth })
          expect(plan.listedCreditsPerMonth + plan.dexCreditsPerMonth).toBeLessThanOrEqual(creditsPerMonth)
        },
      ),
    ))
})

describe('credits in time', () => {
  it('are free evenly from the first of the month, a twentieth ahead', () => {
    const first = at('2026-11-01T00:00:00Z')
    expect(waitMsForCredits(600, 12_000, first)).toBe(0)
    // One credit more is free after 2,678,400 s / 12,000.
    expect(waitMsForCredits(601, 12_000, first)).toBe(223_200)
    expect(waitMsForCredits(601, 12_000, first + 223_200)).toBe(0)
  })

  it('end with the month, and start over with the next', () => {
    const late = at('2026-11-30T23:00:00Z')
    expect(waitMsForCredits(12_001, 12_000, late)).toBe(3_600_000)
    expect(waitMsForCredits(1, 12_000, at('2026-12-01T00:00:00Z'))).toBe(0)
  })
})

it('counts months and days in UTC', () => {
  const newYear = at('2026-12-31T23:59:59Z')
  expect(monthOf(newYear)).toBe('2026-12')
  expect(startOfNextMonthMs(newYear)).toBe(at('2027-01-01T00:00:00Z'))
  expect(startOfNextDayMs(newYear)).toBe(at('2027-01-01T00:00:00Z'))
})
