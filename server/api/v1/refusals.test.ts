import { Failure } from '@chainboard/core'
import fastify, { LogController } from 'fastify'
import { expect, it } from 'vitest'
import { answerApiProblems } from './refusals.ts'

it('a failure is logged, and many of them do not fill it', async () => {
  const lines: string[] = []
  const app = fastify({
    logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } },
    logController: new LogController({ disableRequestLogging: true }),
  })
  answerApiProblems(app)
  app.get('/prices', () => {
    throw new Failure('busy', 'Requests cannot be counted at the moment', { retryable: true })
  })
  for (let asked = 0; asked < 25; asked += 1) expect((await app.inject('/prices')).statusCode).toBe(503)
  expect(lines).toHaveLength(20)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, code: 'busy', msg: 'Requests cannot be counted at the moment' })
})
