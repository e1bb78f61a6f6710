import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { countRequests } from './limits.ts'
import { subgraphRoute } from './subgraphRoute.ts'

let app: FastifyInstance | undefined
afterEach(async () => {
  vi.useRealTimers()
  await app?.close()
})

const start = async (
  answer: (body: string, client: string) => Promise<string> = async (body) => `{"data":${body}}`,
  ageSeconds?: number,
) => {
  app = fastify({ bodyLimit: 64 * 1024 })
  // However long a test takes, the minute has just begun.
  countRequests(app, () => 0)
  const age = ageSeconds === undefined ? {} : { ageSeconds }
  await app.register(subgraphRoute({ answerGraph: async (body, client) => ({ body: await answer(body, client), ...age }) }))
  return app
}

const post = (server: FastifyInstance, payload: string, type = 'application/json') =>
  server.inject({
    method: 'POST',
    url: '/subgraph',
    payload,
    headers: { 'content-type': type, origin: 'https://elsewhere.example' },
  })

describe('POST /subgraph', () => {
  it('says how old an earlier answer is, and nothing of the age of a new one', async () => {
    expect((await post(await start(undefined, 61), '{}')).headers.age).toBe('61')
    expect((await post(await start(), '{}')).headers).not.toHaveProperty('age')
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain'])(
    'hands the body of a %s on as it came',
    async (type) => {
      const answer = await post(await start(), '{"query":"{ bundles { id } }"}', type)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.json()).toEqual({ data: { query: '{ bundles { id } }' } })
    },
  )

  it('hands on a body of nothing too, for the graph to refuse', async () => {
    const server = await start(async (body) => JSON.stringify({ got: body }))
    expect((await server.inject({ method: 'POST', url: '/subgraph' })).json()).toEqual({ got: '' })
  })

  it('says which address asks, for its share of the thread', async () => {
    const server = await start(async (_body, client) => JSON.stringify({ client }))
    expect((await post(server, '{}')).json()).toEqual({ client: '127.0.0.1' })
  })

  it('refuses a body of 1 MB with the body of a GraphQL error', async () => {
    const answer = await post(await start(), JSON.stringify({ query: 'x'.repeat(1_000_000) }))
    expect(answer.statusCode).toBe(413)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.json()).toEqual({ errors: [{ message: 'Request body is too large' }] })
  })

  it('may be called from any page', async () => {
    const answer = await (await start()).inject({ method: 'OPTIONS', url: '/subgraph' })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'authorization, content-type, *',
    })
  })

  it('says to whoever opens it in a browser what it wants', async () => {
    const answer = await (await start()).inject('/subgraph')
    expect(answer.statusCode).toBe(405)
    expect(answer.headers['allow']).toBe('POST, OPTIONS')
    expect(answer.json()).toEqual({ errors: [{ message: 'Send a GraphQL query as JSON with POST' }] })
  })

  it('answers a bug with one sentence', async () => {
    const server = await start(async () => {
      throw new Error('secret')
    })
    const answer = await post(server, '{}')
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({ errors: [{ message: 'Store error: the query could not be run' }] })
  })

  it('has at most six answers on their way to one client, and takes more when those are read', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const server = await start(() => promise)
    // An injected call begins when it is waited for.
    const six = Array.from({ length: 6 }, () => post(server, '{}').then((answer) => answer))
    const seventh = await post(server, '{}')
    expect(seventh.statusCode).toBe(429)
    expect(seventh.json()).toEqual({ errors: [{ message: 'Too many responses are in progress: read those first' }] })
    resolve('{"data":{}}')
    expect((await Promise.all(six)).map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
    expect((await post(server, '{}')).statusCode).toBe(200)
  })

  it('takes 300 queries a minute from one client', async () => {
    const server = await start()
    for (let i = 0; i < 300; i++) expect((await post(server, '{}')).statusCode).toBe(200)
    const answer = await post(server, '{}')
    expect(answer.statusCode).toBe(429)
    expect(answer.json()).toEqual({ errors: [{ message: 'Too many calls. Try again in 60 s' }] })
    expect(answer.headers).toMatchObject({
      'retry-after': '60',
      'ratelimit-policy': '"subgraph-address";q=300;w=60',
      ratelimit: '"subgraph-address";r=0;t=60',
    })
  })
})
