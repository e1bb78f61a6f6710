import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { type Attacked, toSection } from './report.ts'

const states = [{ days: 30, tries: 12_345, opened: 7, expected: 6.543 }]
const attacked = (kind: Attacked['kind'], addresses: number, users: number): Attacked => ({
  ...{ kind, addresses, choices: 'human', users, states },
})
const section = toSection({
  ...{ ...quiet, users: 10_000, seed: 1, owners: { tried: 300, browser: 300, network: 297, code: 300, nothing: 149 } },
  attacked: [
    attacked('everybody', 1, 10_000),
    attacked('one', 10_000, 10_000),
    attacked('smallSite', 10_000, 500),
    attacked('madeInAdvance', 10, 2_000),
    attacked('sharedNetwork', 1, 2_000),
  ],
  closed: [{ addresses: 256, accounts: 2_000, tries: 5_120, pins: 512, owners: 1_000, refused: 163, waitSecondsMax: 3_541 }],
})

it('shows each kind of attack in its own table, as a share of the accounts attacked', () => {
  // 6.543 of 10,000 is 0.065 %, of 500 it is 1.31 %.
  expect(readRows(section)).toEqual([['1 address', 'human', '30', '12,345', '7', '6.54', '0.065 %']])
  expect(readRows(section, 'All tries against one account:')).toEqual([['10,000 addresses', 'human', '30', '12345', '654.30 %']])
  expect(readRows(section, 'All tries against sites')).toEqual([
    ['10,000 addresses', 'human', '500', '30', '12,345', '7', '6.54', '1.31 %'],
  ])
  expect(readRows(section, 'The same if')[0]?.slice(0, 2)).toEqual(['10 addresses', 'human'])
  expect(readRows(section, 'One attacker on a network')[0]?.slice(0, 2)).toEqual(['1 address', 'human'])
})

it('shows whom an attacker can keep out, and how owners get in', () => {
  expect(readRows(section, 'An attacker who only wants')).toEqual([
    ['256 addresses', '2,000', '5,120', '512', '16.3 %', '60 min'],
  ])
  expect(readRows(section, 'During the attack from all addresses')).toEqual([
    ['in a browser that has signed in before, from anywhere', '100 %'],
    ['from a network that has signed in before, without any cookie', '99 %'],
    ['from anywhere, with a code from a signed-in browser', '100 %'],
    ['with only name and PIN', '50 %'],
  ])
})
