import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type StandInSubgraph, startStandInSubgraph } from '../../testing/standInSubgraph.ts'
import { createSubgraphForward } from './subgraphForward.ts'

/** On a machine with much else to do. */
const patience = { timeout: 15_000 }

const key = 'k3y-of-the-operator'
let standIn: StandInSubgraph
beforeEach(async () => {
  standIn = await startStandInSubgraph({ path: `/api/${key}/subgraphs/v3` })
})
afterEach(() => standIn.close())

const question = JSON.stringify({
  query: 'query q($n: Int) { _meta { block { number } } pools(first: $n) { id } }',
  variables: { n: 3 },
})

it('hands a request on with its variables, and its answer back as it is', async () => {
  expect(JSON.parse(await createSubgraphForward(standIn.url)(question))).toEqual({
    data: { _meta: { block: { number: 1 } }, pools: [] },
  })
})

it('asks once for many who ask the same at once, and not again for a while', async () => {
  const forward = createSubgraphForward(standIn.url)
  await Promise.all(Array.from({ length: 20 }, () => forward(question)))
  await forward(question)
  expect(standIn.queries.length).toBe(1)
})

it('serves the last answer while the subgraph fails, and an error to whoever asks something new', async () => {
  const forward = createSubgraphForward(standIn.url, { cacheMs: 1 })
  const before = await forward(question)
  standIn.trouble = () => ({ kind: 'status', status: 503 })
  const other = JSON.stringify({ query: '{ pools { id } }' })
  expect(JSON.parse(await forward(other))).toEqual({ errors: [{ message: 'The subgraph returned HTTP 503' }] })
  // 2 ms are over when the call above has come back over HTTP.
  expect(await forward(question)).toBe(before)
  expect(standIn.queries.length).toBeGreaterThan(1)
})

it("gives the subgraph's own errors back, without the operator's key in them", async () => {
  standIn.trouble = () => ({ kind: 'errors', message: `auth error: ${key} is spent` })
  const answer = await createSubgraphForward(standIn.url)(question)
  expect(JSON.parse(answer).errors[0].message).toMatch(/^auth error: .* is spent$/)
  expect(answer).not.toContain(key)
})

it('says so when what answers is no subgraph', async () => {
  standIn.trouble = () => ({ kind: 'status', status: 200, body: '<html>' })
  const answer = JSON.parse(await createSubgraphForward(standIn.url)(question))
  expect(answer).toEqual({ errors: [{ message: 'The subgraph did not return a GraphQL response' }] })
})

describe('what a visitor sends', () => {
  it('continues as a query and its variables alone, so that what does not count makes no other question', async () => {
    const bodies: string[] = []
    const upstream = createServer((request, response) => {
      void text(request).then((body) => {
        bodies.push(body)
        response.end('{"data":{"pools":[]}}')
      })
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    try {
      const forward = createSubgraphForward(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`)
      const query = 'query q($n: Int, $where: Pool_filter) { pools(first: $n, where: $where) { id } }'
      for (let i = 0; i < 30; i += 1) {
        const unused = { id: i, extensions: { i }, operationName: i % 2 ? 'q' : null }
        const where = i % 3 ? { id: '0x1', liquidity_gt: '5' } : { liquidity_gt: '5', id: '0x1' }
        const written = `# ${i}\n${query.replaceAll(' ', ' '.repeat(1 + (i % 4)))} fragment F${i} on Pool { id } query q${i} { pools { id } }`
        await forward(JSON.stringify({ ...unused, query: written, operationName: 'q', variables: { i, where, n: 3 } }))
      }
      expect(bodies).toEqual([
        '{"query":"query q($n:Int$where:Pool_filter){pools(first:$n where:$where){id}}","variables":{"n":3,"where":{"id":"0x1","liquidity_gt":"5"}}}',
      ])
    } finally {
      await new Promise((resolve) => upstream.close(resolve))
    }
  })

  const nested = (depth: number) => `${'{ a '.repeat(depth)}${'}'.repeat(depth)}`
  it.each<[string, string, string]>([
    ['no JSON', '{', 'The request is not JSON'],
    ['no object', '[{"query":"{ pools { id } }"}]', 'The request is not a JSON object'],
    ['no query', '{"variables":{}}', 'The "query" field is not a string'],
    ['a list of variables', '{"query":"{ a }","variables":[]}', 'The "variables" field is not an object'],
    ['a number for a name', '{"query":"{ a }","operationName":7}', 'The "operationName" field is not a string'],
    ['a mutation', '{"query":"mutation { drop }"}', 'Not supported: mutation'],
    ['a subscription', '{"query":"subscription { pools { id } }"}', 'Not supported: subscription'],
    ['a schema', '{"query":"type A { b: Int }"}', 'A request may contain only queries and fragments'],
    ['a fragment alone', '{"query":"fragment F on Pool { id }"}', 'The request does not contain the query to run'],
    ['two queries and no choice', '{"query":"query a { a } query b { b }"}', 'The request does not contain the query to run'],
    ['another choice', '{"query":"query a { a }","operationName":"b"}', 'The request does not contain the query to run'],
    ['bad syntax', '{"query":"{ pools { id }"}', 'Syntax Error: Expected Name, found <EOF>.'],
    ['too many words', JSON.stringify({ query: `{ ${'a '.repeat(20_000)} }` }), 'A query has more than 15000 words'],
    ['a deep query', JSON.stringify({ query: nested(5_000) }), 'A query is nested more than 60 levels deep'],
    [
      'deep variables',
      `{"query":"query q($a: X) { a(b: $a) }","variables":{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}}`,
      'The variables are nested more than 60 levels deep',
    ],
  ])('is refused when it is %s', async (_, body, reason) => {
    const answer = JSON.parse(await createSubgraphForward(standIn.url)(body))
    expect(answer).toEqual({ errors: [{ message: reason }] })
    expect(standIn.queries).toEqual([])
  })
})

describe('the questions of a minute, of all visitors together', () => {
  it('are at most 120; then the last answer serves, and a new query is refused with the reason', async () => {
    let nowMs = 0
    const forward = createSubgraphForward(standIn.url, { cacheMs: 1, nowMs: () => nowMs })
    const first = await forward(question)
    for (let i = 0; i < 119; i += 1) await forward(JSON.stringify({ query: `{ a${i}: pools(first: 1) { id } }` }))
    nowMs = 59_999
    expect(await forward(question)).toBe(first)
    const other = JSON.stringify({ query: '{ b: pools(first: 1) { id } }' })
    expect(JSON.parse(await forward(other))).toEqual({
      errors: [{ message: 'The limit of subgraph queries per minute is reached. Try again in a minute' }],
    })
    expect(standIn.queries.length).toBe(120)
    nowMs = 60_000
    expect(JSON.parse(await forward(other))).toEqual({ data: { b: [] } })
  })
})

it("shows a partial answer without the operator's key, and without what gateways add to answers", async () => {
  const body = {
    data: { pools: null },
    errors: [{ message: `no indexer for ${key}`, path: ['pools'], extensions: { url: standIn.url } }],
    extensions: { debug: standIn.url },
  }
  standIn.trouble = () => ({ kind: 'status', status: 200, body: JSON.stringify(body) })
  expect(JSON.parse(await createSubgraphForward(standIn.url)(question))).toEqual({
    data: { pools: null },
    errors: [{ message: 'no indexer for …', path: ['pools'] }],
  })
})

it('waits for no answer any more when the server ends', async () => {
  standIn.trouble = () => ({ kind: 'hang' })
  const ending = new AbortController()
  const answer = createSubgraphForward(standIn.url, { signal: ending.signal })(question)
  await vi.waitUntil(() => standIn.queries.length === 1, patience)
  ending.abort()
  expect(JSON.parse(await answer)).toEqual({ errors: [{ message: 'The subgraph is not responding: the connection broke' }] })
})
