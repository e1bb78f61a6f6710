import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { toSection } from './report.ts'

const answers = [{ question: 'swaps, the last 20', store: 'SQLite', graphql: [3, 1, 2], sql: [0.5, 0.25, 1] }]
const beside = { alone: [1, 2, 3, 4], beside: [10, 20, 30, 40], heavy: [500, 700, 600] }
const measured = { ...quiet, postgres: '15.10', swaps: 1_000_000, calls: 1_000, answers, beside }

it('compares GraphQL with SQL at the same percentile', () => {
  expect(readRows(toSection(measured), '### Compared with raw SQL')).toEqual([
    ['swaps, the last 20, SQLite', '2.00', '3.00', '0.50', '1.00', '4.0x', '3.0x'],
  ])
})

it('shows prices without and during heavy queries', () => {
  const section = toSection(measured)
  expect(readRows(section, '### Prices during heavy queries')).toEqual([
    ['alone', '2.00', '4.00', '4.00', '4.00'],
    ['during heavy queries', '20.00', '40.00', '40.00', '40.00'],
  ])
  expect(section).toContain('(3 of them, median 600.00 ms)')
  expect(section).toContain('- PostgreSQL 15.10, default settings')
  expect(toSection({ ...measured, postgres: undefined })).toContain('- PostgreSQL: not installed')
})
