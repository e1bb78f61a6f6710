import { Failure } from '@chainboard/core'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { answerProblems } from './problem.ts'

it.each([
  ['busy', 0],
  ['rpc-unavailable', 1],
] as const)('a call that ends with %s writes %i lines to the log of an operator who wants warnings', async (code, lines) => {
  const written: string[] = []
  const app = fastify({ logger: { level: 'warn', stream: { write: (line: string) => void written.push(line) } } })
  answerProblems(app)
  app.get('/', () => {
    throw new Failure(code, 'not now', { retryable: true })
  })
  const answer = await app.inject('/')
  expect([answer.statusCode, answer.json()]).toEqual([503, { error: 'not now' }])
  expect(written).toHaveLength(lines)
})

it.each([
  [{ name: '' }, 'body name: found "", expected at least 1 character'],
  [{ list: ['a', 'b', 'c'] }, 'body list: found ["a","b","c"], expected at most 2 items'],
  [{ list: 1 }, 'body list: found 1, expected it to be array'],
])('%j is refused with what was found and what is wanted', async (payload, error) => {
  const app = fastify({ ajv: { customOptions: { verbose: true, coerceTypes: false } } })
  answerProblems(app)
  const properties = { name: { type: 'string', minLength: 1 }, list: { type: 'array', maxItems: 2 } }
  app.post('/', { schema: { body: { type: 'object', properties } } }, async () => ({}))
  const answer = await app.inject({ method: 'POST', url: '/', payload })
  expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
})

it.each(['EMFILE', 'ENFILE'])(
  'a request for which no file descriptor is left (%s) may be tried again, and fills no log',
  async (code) => {
    const written: string[] = []
    const app = fastify({ logger: { level: 'warn', stream: { write: (line: string) => void written.push(line) } } })
    answerProblems(app)
    app.get('/', () => {
      throw Object.assign(new Error('too many open files'), { code })
    })
    for (let i = 0; i < 30; i += 1) {
      const answer = await app.inject('/')
      expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
        503,
        '1',
        { error: 'The server is busy. Try again' },
      ])
    }
    expect(written).toHaveLength(20)
  },
)
