import fastify, { LogController } from 'fastify'
import { expect, it } from 'vitest'
import { logRequests } from './logRequests.ts'

it.each([
  ['debug', [{ level: 20, reqId: 'r-1', method: 'GET', route: '/keys/:id', status: 200, msg: 'Answered' }]],
  ['info', []],
])('an answered request is one line at %s, without what its path and its query hold', async (level, expected) => {
  const lines: string[] = []
  const app = fastify({
    genReqId: () => 'r-1',
    logger: { level, stream: { write: (line: string) => lines.push(line) } },
    logController: new LogController({ disableRequestLogging: true }),
  })
  logRequests(app)
  app.get('/keys/:id', async () => ({}))
  await app.inject('/keys/cb_secret?pin=8027')
  expect(lines.map((line) => JSON.parse(line))).toEqual(expected.map((each) => expect.objectContaining(each)))
  expect(lines.join('')).not.toMatch(/cb_secret|8027/)
})
