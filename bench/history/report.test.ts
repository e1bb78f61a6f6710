import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { toSection } from './report.ts'

it('shows the slowest start, the longest hold, and percentiles of reads', () => {
  const store = {
    ...{ store: 'SQLite', fillSeconds: 61.6, gigabytes: 1.234, chart: [3, 1, 2], swaps: [10, 30, 20] },
    starts: [
      { listening: 900, full: 1_500 },
      { listening: 1_100.4, full: 1_400 },
    ],
    ...{ heldByReorgs: [40, 90, 60], heldByBlocks: 12.5 },
  }
  const section = toSection({ ...quiet, postgres: undefined, swaps: 5_000_000, days: 120, calls: 1_000, stores: [store] })
  expect(readRows(section)).toEqual([['SQLite', '1.23', '62', '1100', '1500', '13', '90', '2.0', '3.0', '20.0', '30.0']])
  expect(section).toContain('a store with 5,000,000 swaps of 2,000 pools in 120 days')
  expect(section).toContain('the slowest of\n2.')
  expect(section).toContain('- PostgreSQL: not measured')
})
