import { describe, expect, it } from 'vitest'
import { isGood, type Result } from './report.ts'

const allAnswered = { count: 240, statuses: { 200: 240 }, msMax: 90 }
const servedReads = { name: 'chart', count: 120, dated: 120, ageSecondsMax: 61.2, explained: {}, failed: {} }
const row = {
  reads: [servedReads],
  seen: { page: allAnswered, api: allAnswered, told: ['live'], refusals: [] },
  ends: 0,
  recoverySeconds: 4.9,
  difference: undefined,
  words: [],
  log: '',
}
const outage = (changes: object): Result => ({
  group: 'storage',
  name: 'PostgreSQL away',
  row: { ...row, ...changes },
  stops: false,
  outage: true,
})
const refused = { count: 240, statuses: { 200: 239, 503: 1 }, msMax: 90 }

describe('an outage of the storage', () => {
  it('is survived when everything is served and it is over within 5 s', () => {
    expect(isGood(outage({}))).toBe(true)
  })

  it.each([
    ['a page that is refused once', { seen: { ...row.seen, page: refused } }],
    ['a read that is refused once', { seen: { ...row.seen, api: refused } }],
    ['a chart that hides its age once', { reads: [{ ...servedReads, dated: 119, failed: { '200 without its age': 1 } }] }],
    ['a chart that nobody asked for', { reads: [{ ...servedReads, count: 0, dated: 0 }] }],
    ['more than 5 s', { recoverySeconds: 5.1 }],
    ['another index', { difference: 'swaps: 1 rows, from scratch 2' }],
    ['no end', { recoverySeconds: undefined }],
  ])('is not survived with %s', (_, changes) => {
    expect(isGood(outage(changes))).toBe(false)
  })
})
