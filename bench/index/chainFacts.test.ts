import { expect, it } from 'vitest'
import { checkRows } from './chainFacts.ts'

const facts = { headNumber: 100, rows: { swaps: 50, hours: 9, days: 2, otherEvents: 4 } }

it('measures nothing when an index lacks a swap, or has one too many', () => {
  const lacking = () => checkRows('Ponder on PGlite', { swaps: 49, hours: 9, days: 2, otherEvents: undefined }, facts)
  expect(lacking).toThrow('Ponder on PGlite holds 49 swaps, the chain has 50: nothing was measured')
  expect(() => checkRows('Ours', { swaps: 51, hours: 9, days: 2, otherEvents: 4 }, facts)).toThrow('51 swaps')
  expect(() => checkRows('Ours', { swaps: 50, hours: 9, days: 2, otherEvents: 3 }, facts)).toThrow('3 otherEvents')
})

it('lets an index leave out what is no swap', () => {
  expect(() => checkRows('Ponder', { swaps: 50, hours: 9, days: 2, otherEvents: undefined }, facts)).not.toThrow()
})
