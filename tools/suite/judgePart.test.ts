import { expect, it } from 'vitest'
import { judgePart, type PartEnd } from './judgePart.ts'

const good: PartEnd = {
  exitCode: 0,
  signal: null,
  counts: { passed: 7, failed: 0, skipped: 1, failures: [] },
  lastLines: ['bye'],
}

it('passes a part whose tests ran, ended well and have no failure', () => {
  expect(judgePart('vitest', good)).toEqual({ passed: 7, failed: 0, skipped: 1, failures: [], fault: undefined })
})

it.each([
  [
    'ran no test',
    { counts: { passed: 0, failed: 0, skipped: 3, failures: [] } },
    'no test was run',
    { passed: 0, failed: 1, skipped: 3 },
  ],
  [
    'has a failed test',
    { counts: { passed: 7, failed: 2, skipped: 0, failures: [] }, exitCode: 1 },
    '2 failed',
    { passed: 7, failed: 2 },
  ],
  [
    'has a failed test and says that all is well',
    { counts: { passed: 7, failed: 2, skipped: 0, failures: [] } },
    '2 failed',
    { failed: 2 },
  ],
  ['fails beside its tests', { exitCode: 1 }, 'exit code 1 without a failed test', { passed: 7, failed: 1 }],
  ['wrote no report', { counts: undefined }, 'it wrote no report', { passed: 0, failed: 1 }],
  ['could not begin', { counts: undefined, exitCode: 1 }, 'exit code 1 and no report', { passed: 0, failed: 1 }],
  ['was killed', { exitCode: null, signal: 'SIGKILL' }, 'ended by SIGKILL', { passed: 7, failed: 1 }],
  ['was interrupted and ended well', { cause: 'interrupted' }, 'interrupted', { passed: 7, failed: 1 }],
] as const)('fails a part that %s', (_, end, fault, counts) => {
  expect(judgePart('playwright', { ...good, ...end })).toMatchObject({ ...counts, fault })
})

it('ends a part that failed without a failed test with what it printed last, and one with failed tests with those', () => {
  const beside = { ...good, exitCode: 1, lastLines: ['error during close', 'Error: a database does not end'] }
  expect(judgePart('vitest', beside)).toMatchObject({ failures: ['error during close', 'Error: a database does not end'] })
  const counts = { passed: 7, failed: 1, skipped: 0, failures: ['a.test.ts: adds'] }
  expect(judgePart('vitest', { ...beside, counts })).toMatchObject({ failures: ['a.test.ts: adds'] })
})

it('counts a check as one test, by its exit code', () => {
  const end: PartEnd = { exitCode: 0, signal: null, counts: undefined, lastLines: ['a.ts:3: wrong'] }
  expect(judgePart('check', end)).toEqual({ passed: 1, failed: 0, skipped: 0, failures: [], fault: undefined })
  expect(judgePart('check', { ...end, exitCode: 2 })).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: ['a.ts:3: wrong'],
    fault: 'exit code 2',
  })
})
