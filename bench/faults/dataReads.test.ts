import { expect, it } from 'vitest'
import { type DataRead, describeReads, judgeAnswer, listDataReads } from './dataReads.ts'

const reads = new Map(listDataReads('0x11').map((read) => [read.name, read]))
const judge = (name: string, body: unknown, head: Record<string, string> = {}, status = 200) =>
  judgeAnswer(reads.get(name) as DataRead, { status, headers: new Headers(head), text: JSON.stringify(body) }, 1_700_000_060)

it.each([
  ['list', [], { 'X-As-Of': '1700000000' }],
  ['chart', { points: [] }, { 'X-As-Of': '1700000000' }],
  ['receipt', { block: { timestamp: 1_700_000_000 } }, {}],
  ['price', { data: { asOf: 1_700_000_000 } }, {}],
  ['subgraph', { data: { _meta: { block: { timestamp: 1_700_000_000 } } } }, {}],
])('reads the age of a %s from the answer itself', (name, body, head) => {
  expect(judge(name, body, head)).toEqual({ ageSeconds: 60 })
})

it.each([
  ['a chart without its header', 'chart', { points: [] }, 200, '200 without its age'],
  ['a price without its time', 'price', { data: { asOf: null } }, 200, '200 without its age'],
  ['a refusal', 'swaps', { error: 'The database is not responding' }, 503, '503'],
  [
    'a reason that says nothing',
    'subgraph',
    { errors: [{ message: 'Store error: the query could not be run' }] },
    200,
    '200 without its age',
  ],
])('does not let %s pass', (_, name, body, status, failed) => {
  expect(judge(name, body, {}, status)).toEqual({ failed })
})

it('takes the reason of a subgraph whose database is away', () => {
  expect(judge('subgraph', { errors: [{ message: 'The database is not responding' }] })).toEqual({
    explained: 'The database is not responding',
  })
})

it('shows each read with what became of it', () => {
  const tally = {
    name: 'chart',
    count: 5,
    dated: 2,
    ageSecondsMax: 61.4,
    explained: { 'The database is not responding': 2 },
    failed: { 503: 1 },
  }
  expect(describeReads([tally])).toBe('chart 2 of 5, at most 61 s old, 2 x "The database is not responding", **1 x 503**')
})
