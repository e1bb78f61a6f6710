import { expect, it } from 'vitest'
import { summarize } from './summary.ts'

it('has a line for each part and the totals alone in the last one', () => {
  const results = [
    { name: 'types', seconds: 6.04, passed: 1, failed: 0, skipped: 0, failures: [], fault: undefined },
    {
      ...{ name: 'unit tests', seconds: 301.27, passed: 2_400, failed: 2, skipped: 1, fault: '2 failed' },
      failures: ['core/a.test.ts: adds: expected 2 to be 3', 'core/b.test.ts: subtracts'],
    },
  ]
  expect(summarize(results).split('\n')).toEqual([
    '',
    'passed  types          6.0 s  1 passed, 0 failed',
    'FAILED  unit tests   301.3 s  2400 passed, 2 failed, 1 skipped (2 failed)',
    '        core/a.test.ts: adds: expected 2 to be 3',
    '        core/b.test.ts: subtracts',
    '2401 passed, 2 failed, 1 skipped',
  ])
})

it('names skipped tests in the totals only where there are some', () => {
  const part = { name: 'types', seconds: 1, passed: 1, failed: 0, skipped: 0, failures: [], fault: undefined }
  expect(summarize([part]).split('\n').at(-1)).toBe('1 passed, 0 failed')
})
