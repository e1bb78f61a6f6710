import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createGuard } from './createBreaker.ts'
import { toForwardRequest } from './forwardRequest.ts'
import { createQuestionBudget } from './questionBudget.ts'

const ask = (query: unknown, more: object = {}) => toForwardRequest(JSON.stringify({ query, ...more }))
const bodyOf = (...asked: Parameters<typeof ask>) => {
  const request = ask(...asked)
  if (request.kind !== 'ask') throw new Error(request.reason)
  return JSON.parse(request.body)
}

describe('what a visitor sends on to a subgraph', () => {
  it('is written in one way: without spaces, comments and commas, and with the names of variables in order', () => {
    expect(
      bodyOf('# a comment\nquery q ($b: Int, $a: Int) {\n  pools(first: $a, skip: $b) { id, }\n}', { variables: { b: 2, a: 1 } }),
    ).toEqual({
      ...{
        query: 'query q($b:Int,$a:Int){pools(first:$a,skip:$b){id}}'
          .replace('$b:Int,$a', '$b:Int$a')
          .replace('$a,skip', '$a skip'),
      },
      variables: { a: 1, b: 2 },
    })
    const [one, other] = ['{"query":"{ a }","variables":{"x":1}}', '{ "variables": null, "query": "query { a }" }'].map(
      toForwardRequest,
    )
    expect(one).toEqual(other)
  })

  it('is the query that runs, with the fragments that it uses and the variables that it names', () => {
    const text = 'query one($a: Int) { ...F } query two($b: Int) { ...G x(n: $b) } fragment F on Q { f } fragment G on Q { g }'
    const { query, variables } = bodyOf(text, {
      operationName: 'two',
      variables: { a: 1, b: { z: [1, { y: 2, x: 1 }], a: null }, c: 3 },
    })
    expect(query).toContain('query two')
    expect(query).toContain('fragment G')
    expect(query).not.toMatch(/one|fragment F/)
    expect(JSON.stringify(variables)).toBe('{"b":{"a":null,"z":[1,{"x":1,"y":2}]}}')
  })

  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])

  it.each([
    ['no JSON', () => toForwardRequest('{'), 'The request is not JSON'],
    ['a list', () => toForwardRequest('[]'), 'The request is not a JSON object'],
    ['nothing', () => toForwardRequest('null'), 'The request is not a JSON object'],
    ['no query', () => ask(7), 'The "query" field is not a string'],
    ['variables in a list', () => ask('{ a }', { variables: [] }), 'The "variables" field is not an object'],
    ['a name that is none', () => ask('{ a }', { operationName: 7 }), 'The "operationName" field is not a string'],
    ['a mutation', () => ask('mutation { a }'), 'Not supported: mutation'],
    ['a schema', () => ask('type A { a: Int } query { a }'), 'A request may contain only queries and fragments'],
    ['two queries and no name', () => ask('query a { a } query b { b }'), 'The request does not contain the query to run'],
    ['another name', () => ask('query a { a }', { operationName: 'b' }), 'The request does not contain the query to run'],
    ['fragments alone', () => ask('fragment F on Q { f }'), 'The request does not contain the query to run'],
    ['61 levels', () => ask(`${'{a'.repeat(61)}${'}'.repeat(61)}`), 'A query is nested more than 60 levels deep'],
    ['15,001 words', () => ask(`{ ${'a '.repeat(15_000)} }`), 'A query has more than 15000 words'],
    [
      'deep variables',
      () => ask('query q($a: Int) { a(n: $a) }', { variables: { a: deep(61) } }),
      'The variables are nested more than',
    ],
  ])('may not be %s', (_, send, reason) => {
    expect(send()).toMatchObject({ kind: 'refuse', reason: expect.stringContaining(reason) })
  })

  it('may be as deep as the limits', () => {
    expect(ask(`${'{a'.repeat(60)}${'}'.repeat(60)}`).kind).toBe('ask')
    expect(ask('query q($a: Int) { a(n: $a) }', { variables: { a: deep(59) } }).kind).toBe('ask')
  })
})

describe('questions to a subgraph', () => {
  it('are so many in any sixty seconds', () => {
    let nowMs = 0
    const take = createQuestionBudget(2, () => nowMs)
    expect([take(), take(), take()]).toEqual([true, true, false])
    nowMs = 30_000
    expect(take()).toBe(false)
    nowMs = 60_000
    expect([take(), take(), take()]).toEqual([true, true, false])
    nowMs = 119_999
    expect(take()).toBe(false)
  })

  it('fail at once after three failures in a row, and not for what is no failure of the subgraph', async () => {
    const guard = createGuard()
    const failing = () => guard(() => Promise.reject(new Failure('upstream-unavailable', 'down')))
    for (let i = 0; i < 5; i += 1) await expect(guard(() => Promise.reject(new TypeError('a slip')))).rejects.toThrow('a slip')
    await expect(failing()).rejects.toThrow('down')
    await expect(failing()).rejects.toThrow('down')
    expect(await guard(async () => 'an answer in between')).toBe('an answer in between')
    for (let i = 0; i < 3; i += 1) await expect(failing()).rejects.toThrow('down')
    let isAsked = false
    const next = guard(async () => {
      isAsked = true
    })
    await expect(next).rejects.toMatchObject({
      ...{ code: 'upstream-unavailable', message: 'The subgraph is not responding; the server retries soon' },
    })
    expect(isAsked).toBe(false)
  })

  it('are four at once and a hundred that wait, and the next one is refused', async () => {
    const guard = createGuard()
    const open = Promise.withResolvers<string>()
    let asked = 0
    const asking = Array.from({ length: 104 }, () =>
      guard(() => {
        asked += 1
        return open.promise
      }),
    )
    await expect(guard(async () => 'one more')).rejects.toMatchObject({ message: 'Too many queries to the subgraph at once' })
    expect(asked).toBe(4)
    open.resolve('done')
    expect(new Set(await Promise.all(asking))).toEqual(new Set(['done']))
    expect(asked).toBe(104)
  })
})
