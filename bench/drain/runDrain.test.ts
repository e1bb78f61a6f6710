import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { toSection } from './runDrain.ts'

it('counts answers of 500 and above, and those cut off, as failed', () => {
  const tally = { statuses: { 200: 9_000, 404: 5, 500: 1, 503: 2 }, broken: { ECONNRESET: 4 } }
  expect(readRows(toSection(quiet, tally, 6))).toEqual([['9012', '6', '7']])
  expect(readRows(toSection(quiet, { statuses: { 200: 100 }, broken: {} }, 4))).toEqual([['100', '4', '0']])
})
