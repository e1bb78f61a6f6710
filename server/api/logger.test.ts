import { Failure } from '@chainboard/core'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { toLogger } from './logger.ts'

it('an error in the log names neither the URL of the node nor its key', () => {
  const lines: string[] = []
  const app = fastify({ logger: toLogger('warn', { write: (line) => void lines.push(line) }) })
  const cause = new Error('HTTP request failed.\n\nURL: https://rpc.example/v2/Zq7Xw2Vb9Lk4Mn8Pq1Rs5Tu6')
  app.log.warn({ err: new Failure('rpc-unavailable', 'The node is not responding', { cause }) }, 'Boosts cannot be read')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'Boosts cannot be read',
    err: { message: 'The node is not responding', causes: ['Error: HTTP request failed. URL: …'] },
  })
  expect(lines.join()).not.toMatch(/Zq7Xw2Vb9|rpc\.example/)
})
