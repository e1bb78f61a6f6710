import { expect, it } from 'vitest'
import { readRows } from '../testing/readRows.ts'
import { toSection } from './report.ts'

it('shows how many stories failed, the pace, and what happened in them', () => {
  const report = {
    ...{ stories: 500, events: 70_000, virtualSeconds: 36_000, seconds: 120.4, failures: [], twice: 10 },
    noted: { reorg: 12, 'kill -9': 3 },
  }
  const section = toSection({ report, first: 7, families: ['honest', 'crash'], machine: ['CPU: one'] })
  expect(section).toContain('npm run bench -- stories --first 7 --stories 500 --families honest,crash\n')
  // 500 / 120.4 s x 3,600 = 14,950; 36,000 / 120.4 = 299.
  expect(section).toContain(
    '500 stories, 0 failed; 10 were run twice, to check that a seed gives the same story. 120 s:\n14950 stories per hour, and 299 simulated seconds per second; 70000 events.',
  )
  expect(readRows(section)).toEqual([
    ['reorg', '12'],
    ['kill -9', '3'],
  ])
})
