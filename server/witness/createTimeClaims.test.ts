import { expect, test } from 'vitest'
import { createTimeClaims } from './createTimeClaims.ts'

/** Claims at a clock that the test sets. */
function open() {
  const clock = { ms: 0 }
  const claims = createTimeClaims(() => clock.ms)
  const standsAt = (ms: number, block: number, claim: string) => {
    clock.ms = ms
    return claims.stands(block, claim)
  }
  return { claims, standsAt }
}

test('nodes are believed when they have said the same for a minute, not sooner', () => {
  const { standsAt } = open()
  expect([0, 1, 59_999, 60_000, 3_600_000].map((ms) => standsAt(ms, 5, '1700'))).toEqual([false, false, false, true, true])
})

test('a node that says another time now and then is never believed', () => {
  const { standsAt } = open()
  const said = ['a', 'a', 'b', 'a', 'a', 'b', 'a'].map((claim, i) => standsAt(i * 40_000, 5, claim))
  expect(said).toEqual([false, false, false, false, false, false, false])
})

test('a minute about one block says nothing of another', () => {
  const { standsAt } = open()
  standsAt(0, 5, '1700')
  expect([standsAt(60_000, 6, '1700'), standsAt(60_000, 5, '1700')]).toEqual([false, true])
})

test('what was settled, or taken back by the chain, begins anew, and nothing else', () => {
  const { claims, standsAt } = open()
  for (const block of [5, 6, 7]) standsAt(0, block, '1700')
  claims.drop((block) => block > 5)
  expect([5, 6, 7].map((block) => standsAt(60_000, block, '1700'))).toEqual([true, false, false])
  expect(standsAt(120_000, 6, '1700')).toBe(true)
})
