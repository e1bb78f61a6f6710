import { expect, it } from 'vitest'
import { NotMeasured } from '../notMeasured.ts'
import { findKept } from './runInvariants.ts'

const line = (name: string, runs: number) => `    ✔ invariant_${name}() (runs: ${runs}, calls: 100000, reverts: 0)\n`

it('reads what was kept as sentences, in order', () => {
  expect(findKept(`${line('ownerKeepsNothing', 200)}${line('feesAddUp', 200)}`)).toEqual(['Fees add up', 'Owner keeps nothing'])
})

it('does not take an invariant for kept that was hardly tried, or none at all', () => {
  const few = `${line('feesAddUp', 200)}${line('ownerKeepsNothing', 20)}`
  expect(() => findKept(few)).toThrow(new NotMeasured('ownerKeepsNothing was tried 20 times, expected 200'))
  expect(() => findKept('0 passing')).toThrow(new NotMeasured('No invariant was tried:\n0 passing'))
})
