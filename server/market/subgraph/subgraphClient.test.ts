import { Failure } from '@chainboard/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type StandInSubgraph, startStandInSubgraph, type Trouble } from '../../testing/standInSubgraph.ts'
import { createSubgraphClient } from './subgraphClient.ts'

/** On a machine with much else to do. */
const patience = { timeout: 15_000 }

const key = 'c0ffee00c0ffee00c0ffee00c0ffee00'
let standIn: StandInSubgraph

beforeEach(async () => {
  standIn = await startStandInSubgraph({ path: `/api/${key}/subgraphs/id/Qm` })
})
afterEach(() => standIn.close())

const askHead = (options = {}) => createSubgraphClient(standIn.url, options).ask(() => '{ _meta { block { number } } }')
const failHead = async (options = {}): Promise<Failure> => {
  const error: unknown = await askHead(options).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(Failure)
  return error as Failure
}

it('gives the data of an answer', async () => expect(await askHead()).toEqual({ _meta: { block: { number: 1 } } }))

describe('a subgraph in trouble', () => {
  it.each<[string, Trouble, string, boolean]>([
    ['refuses a query with HTTP 200', { kind: 'errors', message: 'Type `Query` has no field `x`' }, 'upstream-refused', false],
    ['does not know the key', { kind: 'errors', message: 'auth error: malformed API key' }, 'upstream-refused', false],
    ['has indexing errors', { kind: 'errors', message: 'indexing_error' }, 'upstream-refused', true],
    ['takes too long', { kind: 'errors', message: 'query timed out' }, 'upstream-refused', true],
    ['has no indexer that knows', { kind: 'errors', message: 'bad indexers: {0x1: Timeout}' }, 'upstream-refused', true],
    ['forbids', { kind: 'status', status: 403, body: '<html>' }, 'upstream-refused', false],
    ['has moved', { kind: 'status', status: 301, headers: { location: 'https://other.example' } }, 'upstream-refused', false],
    ['is down behind its proxy', { kind: 'status', status: 502, body: '<html>' }, 'upstream-unavailable', true],
    ['answers with a page', { kind: 'status', status: 200, body: '<html>hello</html>' }, 'upstream-invalid', true],
    ['answers with other JSON', { kind: 'status', status: 200, body: '[1]' }, 'upstream-invalid', true],
    ['answers without data', { kind: 'status', status: 200, body: '{"data":null}' }, 'upstream-invalid', true],
    ['hangs', { kind: 'hang' }, 'upstream-unavailable', true],
  ])('%s', async (_, trouble, code, retryable) => {
    standIn.trouble = () => trouble
    expect(await failHead({ timeoutMs: 200 })).toMatchObject({ code, retryable })
  })

  it('says its own words of a refusal', async () => {
    standIn.trouble = () => ({ kind: 'status', status: 400, body: '{"errors":[{"message":"bad query"},{"message":"twice"}]}' })
    expect((await failHead()).message).toBe('The subgraph refuses: bad query; twice')
  })

  it.each([
    ['7', 7_000],
    ['999999999', 86_400_000],
    [new Date(Date.UTC(2000, 0, 1)).toUTCString(), 0],
  ])('says how long to wait: %s', async (text, retryAfterMs) => {
    standIn.trouble = () => ({ kind: 'status', status: 429, headers: { 'retry-after': text } })
    expect(await failHead()).toMatchObject({ code: 'upstream-rate-limited', retryable: true, detail: { retryAfterMs } })
  })

  it('does not say how long to wait', async () => {
    standIn.trouble = () => ({ kind: 'status', status: 429 })
    expect((await failHead()).detail).toEqual({})
  })

  it('is not there', async () => {
    await standIn.close()
    expect(await failHead()).toMatchObject({
      code: 'upstream-unavailable',
      message: 'The subgraph is not responding: ECONNREFUSED',
    })
  })

  it('answers with more than there is room for', async () => {
    standIn.trouble = () => ({ kind: 'status', status: 200, body: `{"data":{"x":"${'x'.repeat(2_000)}"}}` })
    expect(await failHead({ bodyBytesMax: 1_000 })).toMatchObject({ code: 'upstream-invalid' })
    expect(await askHead({ bodyBytesMax: 3_000 })).toHaveProperty('x')
  })
})

it('waits for no answer any more when it is told to end', async () => {
  standIn.trouble = () => ({ kind: 'hang' })
  const ending = new AbortController()
  const failing = failHead({ signal: ending.signal })
  await vi.waitUntil(() => standIn.queries.length === 1, patience)
  ending.abort()
  expect((await failing).message).toBe('The subgraph is not responding: the connection broke')
  expect(await failHead({ signal: ending.signal })).toMatchObject({ code: 'upstream-unavailable' })
  expect(standIn.queries.length).toBe(1)
})

it('never shows the URL, which may hold a key, in any failure', async () => {
  const troubles: Trouble[] = [
    { kind: 'errors', message: `unknown key ${key} at ${standIn.url}` },
    { kind: 'status', status: 200, body: `no JSON from ${standIn.url}` },
    { kind: 'status', status: 500, body: standIn.url },
    { kind: 'status', status: 404, body: standIn.url },
    { kind: 'hang' },
  ]
  for (const trouble of troubles) {
    standIn.trouble = () => trouble
    const { message, detail, stack, cause } = await failHead({ timeoutMs: 200 })
    expect(JSON.stringify([message, detail, stack, String(cause)])).not.toContain(key)
  }
})

it('asks an older subgraph without what it does not have, and remembers that', async () => {
  const old = await startStandInSubgraph({ dialect: 'old' })
  const client = createSubgraphClient(old.url)
  const ask = () => client.ask((has) => `{ _meta { block { number ${has('_Block_.timestamp') ? 'timestamp' : ''} } } }`)
  expect(await ask()).toEqual({ _meta: { block: { number: 1 } } })
  expect(await ask()).toEqual({ _meta: { block: { number: 1 } } })
  expect(old.queries.map((query) => query.includes('timestamp'))).toEqual([true, false, false])
  await old.close()
})
