import { createTickList } from '@chainboard/core'
import { expect, it } from 'vitest'
import { createTickMeanings, type JudgedPlace } from './createTickMeanings.ts'
import type { Verdict } from './tickPlaces.ts'

const list = createTickList([[60, { gross: 5n, net: 5n }]])

/** A tick of the pool of this number; the index has liquidity at 60. */
function judged(pool: number, verdict: Verdict, at = 60): JudgedPlace {
  const address = `0x${String(pool).padStart(40, '0')}` as const
  return { place: { kind: 'tick', at, list, pool: { address, tickSpacing: 60 } }, verdict }
}

it('differences count once a tick with liquidity has agreed: one without agrees with any contract', () => {
  const meanings = createTickMeanings()
  meanings.note([judged(1, 'differs'), judged(2, 'agrees', 120)])
  expect([meanings.isKnown('tick'), meanings.quirk()]).toEqual([false, undefined])
  meanings.note([judged(2, 'agrees')])
  expect([meanings.isKnown('tick'), meanings.isKnown('word')]).toEqual([true, false])
})

it('three pools that differ before one agrees show that ticks are something else on this chain', () => {
  const meanings = createTickMeanings()
  const text = 'The ticks of pools on this chain do not match their positions'
  meanings.note([judged(1, 'differs'), judged(2, 'differs'), judged(2, 'differs', 0)])
  expect(meanings.quirk()).toBeUndefined()
  meanings.note([judged(3, 'differs')])
  expect(meanings.quirk()).toBe(text)
  meanings.note([judged(4, 'agrees')])
  expect(meanings.quirk()).toBeUndefined()
})

it('ticks are no longer asked for after three looks without one answer, but are when one came in between', () => {
  const meanings = createTickMeanings()
  for (let look = 0; look < 2; look += 1) meanings.note([judged(1, 'no answer'), judged(2, 'no answer')])
  meanings.note([judged(1, 'no answer'), judged(2, 'differs')])
  for (let look = 0; look < 2; look += 1) meanings.note([judged(1, 'no answer')])
  expect(meanings.isAnswered('tick')).toBe(true)
  meanings.note([judged(1, 'no answer')])
  expect([meanings.isAnswered('tick'), meanings.isAnswered('word')]).toEqual([false, true])
})
