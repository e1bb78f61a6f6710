import { describe, expect, it } from 'vitest'
import type { Absence } from './kind.ts'
import { isGood, type Result, toCells } from './report.ts'
import type { Asked } from './watchSite.ts'

const allAnswered = { count: 240, statuses: { 200: 240 }, msMax: 90, gapMsMax: 340 }
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
  outage: true,
})
const refused = { count: 240, statuses: { 200: 239, 503: 1 }, msMax: 90, gapMsMax: 340 }

describe('a fault in which no server can answer', () => {
  const nobody = { count: 80, statuses: { refused: 80 }, msMax: 9, gapMsMax: 20_000 }
  const some = { count: 80, statuses: { 200: 60, refused: 19, 'cut off': 1 }, msMax: 90, gapMsMax: 4_900 }
  const late = { count: 4, statuses: { late: 4 }, msMax: 5_000, gapMsMax: 20_000 }
  const sentence = 'Chainboard cannot start: the file is damaged'
  const result = (absence: Absence | undefined, asked: Asked, words: string[] = []): Result => ({
    group: 'storage',
    name: 'a fault',
    row: { ...row, words, seen: { ...row.seen, page: asked, api: asked } },
    absence,
  })

  it.each([
    ['refuses', nobody, [sentence], 'not started'],
    ['ends', nobody, [], 'ended, no answer cut off'],
    ['killed', some, [], 'killed, answers again after 4.9 s'],
    ['frozen', late, [], 'frozen'],
  ] as const)('%s', (absence, asked, words, text) => {
    expect(toCells(result(absence, asked, [...words]))[1]).toBe(text)
    expect(isGood(result(absence, asked, [...words]))).toBe(true)
  })

  it.each([
    ['a refusal without a sentence', 'refuses', nobody],
    ['an answer that was cut off by an end that was asked for', 'ends', some],
    ['more than 10 s until a killed server answers', 'killed', { ...some, gapMsMax: 10_100 }],
    ['a refusal of a server that should be up', undefined, refused],
    ['no server that should be up', undefined, nobody],
    ['late answers of a server that runs', undefined, late],
  ] as const)('is down with %s', (_, absence, asked) => {
    expect(isGood(result(absence, asked))).toBe(false)
  })
})

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
