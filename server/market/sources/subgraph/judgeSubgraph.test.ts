import { describe, expect, it } from 'vitest'
import type { PostOutcome } from '../../../chain/postJson.ts'
import { judgeSubgraph, type SubgraphContext } from './judgeSubgraph.ts'

const factory = `0x${'fa'.repeat(20)}`
const context: SubgraphContext = { field: 'SUBGRAPH_URL', factory, headNumber: 1_000, isOnlySource: false }
const json = (value: unknown): PostOutcome => ({ kind: 'json', value, tookMs: 5, headers: new Headers() })
const answer = (meta: object, id = factory.toUpperCase().replace('X', 'x')) =>
  json({ data: { _meta: { hasIndexingErrors: false, ...meta }, factories: [{ id }] } })
const judge = (outcome: PostOutcome, facts: Partial<SubgraphContext> = {}) => judgeSubgraph(outcome, { ...context, ...facts })

describe('a subgraph that the doctor looks at', () => {
  it('is well where it is of this exchange and up to date', () => {
    expect(judge(answer({ block: { number: 995 } }))).toEqual({
      ...{ level: 'ok', field: 'SUBGRAPH_URL', found: 'is at block 995, 5 behind' },
    })
    // The head may be older than what it has read since.
    expect(judge(answer({ block: { number: 1_003 } })).found).toBe('is at block 1003, 0 behind')
    expect(judge(answer({ block: { number: 500 } })).level).toBe('ok')
    expect(judge(answer({ block: { number: 7 } }), { headNumber: undefined }).level).toBe('ok')
  })

  it.each([
    [{ kind: 'unreachable', why: 'no answer within 10 s' } as const, 'no answer within 10 s'],
    [{ kind: 'status', status: 502 } as const, 'HTTP 502'],
    [{ kind: 'not-json', start: '<html>' } as const, 'no JSON'],
    [json({ errors: [{ message: 'x'.repeat(300) }] }), `"${'x'.repeat(160)}"`],
    [json({ errors: [{}] }), '"undefined"'],
    [json({ data: null }), 'a response that is not from a subgraph'],
    [json({ data: { _meta: { block: { number: 5 } } } }), 'a response that is not from a subgraph'],
    [json(null), 'a response that is not from a subgraph'],
    [json('text'), 'a response that is not from a subgraph'],
  ])('is none where it answers %j', (outcome, found) => {
    expect(judge(outcome)).toMatchObject({ level: 'warn', found, todo: 'While it is down, the server uses the next source' })
    expect(judge(outcome, { isOnlySource: true })).toMatchObject({
      ...{ level: 'fail', found, todo: 'Without it there are no prices: set SUBGRAPH_URL' },
    })
  })

  it('gives wrong prices where it is of another exchange', () => {
    expect(judge(answer({ block: { number: 995 } }, '0xother'))).toMatchObject({
      ...{ level: 'fail', found: 'the factory 0xother', wanted: factory },
    })
    const none = json({ data: { _meta: { block: { number: 1 } }, factories: [] } })
    expect(judge(none).found).toBe('the factory of none')
  })

  it('gives old prices where it has stopped, or is far behind', () => {
    expect(judge(answer({ block: { number: 990 }, hasIndexingErrors: true }))).toMatchObject({
      ...{ level: 'warn', found: 'indexing errors at block 990' },
    })
    expect(judge(answer({ block: { number: 499 } }))).toMatchObject({
      ...{ level: 'warn', found: '501 blocks behind', wanted: 'at most 500' },
    })
  })
})
