import { expect, it } from 'vitest'
import { judgeAudit } from './judgeAudit.ts'

it('finds what the report names', () => {
  const report = {
    auditReportVersion: 2,
    vulnerabilities: {
      'tough-cookie': { name: 'tough-cookie', severity: 'moderate', isDirect: false, range: '<4.1.3', nodes: [] },
      braces: { name: 'braces', severity: 'high', isDirect: false, range: '<3.0.3', nodes: [] },
    },
    metadata: {},
  }
  expect(judgeAudit(JSON.stringify(report))).toEqual({
    kind: 'judged',
    found: [
      { name: 'braces', severity: 'high', range: '<3.0.3' },
      { name: 'tough-cookie', severity: 'moderate', range: '<4.1.3' },
    ],
  })
  expect(judgeAudit('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({ kind: 'judged', found: [] })
})

it.each([
  [
    'a registry without advisories',
    '{"message":"405 Method Not Allowed - POST bulk","method":"POST"}',
    '405 Method Not Allowed - POST bulk',
  ],
  ['a report of another version', '{"auditReportVersion":3,"vulnerabilities":{}}', 'npm printed no report'],
  ['nothing', '', 'npm printed no report'],
])('takes %s for no word on the packages, not for a good one', (_what, text, reason) => {
  expect(judgeAudit(text)).toEqual({ kind: 'unknown', reason })
})
