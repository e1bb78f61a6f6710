import { afterEach, beforeEach, expect, it } from 'vitest'
import { type StandInSubgraph, startStandInSubgraph } from '../../testing/standInSubgraph.ts'
import { createSubgraphForward } from './subgraphForward.ts'

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
  expect(JSON.parse(await forward(other))).toEqual({ errors: [{ message: 'The subgraph answers with HTTP 503' }] })
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
  expect(answer).toEqual({ errors: [{ message: 'The subgraph answers with something else than GraphQL' }] })
})
