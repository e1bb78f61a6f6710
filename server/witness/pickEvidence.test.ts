import { expect, it } from 'vitest'
import { pickEvidence, type Voice } from './pickEvidence.ts'

const pick = (...voices: Voice<string>[]) => pickEvidence(voices, (text) => text)
const says = (...items: string[]): Voice<string> => ({ items, isProven: false })
const proves = (...items: string[]): Voice<string> => ({ items, isProven: true })

it('a node that makes an event up does not win against one that does not, for having more', () => {
  expect(pick(says('swap'), says('swap', 'made up'))).toBe('tied')
})

it('nor does one that leaves an event out', () => {
  expect(pick(says('swap'), says())).toBe('tied')
})

it('a proof wins against any number of other voices', () => {
  expect(pick(says(), proves('swap'), says())).toEqual({ items: ['swap'], isProven: true, agreeing: 1, voices: 3 })
})

it('two proofs that contradict each other decide nothing', () => expect(pick(proves('a'), proves('b'))).toBe('tied'))

it('without a proof more than half decide', () => {
  expect(pick(says('a'), says('b'), says('a'))).toEqual({ items: ['a'], isProven: false, agreeing: 2, voices: 3 })
  expect(pick(says('a'), says('b'), says('c'), says('a'))).toBe('tied')
})

it('a single voice is heard for what it is', () => {
  expect(pick(says('a'))).toEqual({ items: ['a'], isProven: false, agreeing: 1, voices: 1 })
})

it('no voice says nothing', () => expect(pick()).toBe(undefined))
