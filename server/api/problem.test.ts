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
