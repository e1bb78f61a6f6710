import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { sendRaw } from '../testing/sendRaw.ts'
import { createAnswerUnreadable } from './answerUnreadable.ts'

const world = { nowMs: 0, lines: [] as string[] }
let server: Server
async function open(): Promise<string> {
  Object.assign(world, { nowMs: 0, lines: [] })
  const app = fastify({
    serverFactory: (answer) => {
      server = createServer(
        { requestTimeout: 150, headersTimeout: 100, connectionsCheckingInterval: 20, maxHeaderSize: 2_000 },
        answer,
      )
      return server
    },
    logger: { level: 'trace', stream: { write: (line: string) => world.lines.push(line) } },
    clientErrorHandler: createAnswerUnreadable(() => world.nowMs),
  })
  app.get('/', async (_request, reply) => {
    reply.raw.writeHead(200, ['content-type', 'text/event-stream'])
    reply.raw.write('data: first\n\n')
    return reply.hijack()
  })
  app.post('/', async () => ({}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  close = () => app.close()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
let close = async (): Promise<unknown> => undefined
afterEach(async () => {
  server.closeAllConnections()
  await close()
})

it.each([
  ['400 Bad Request', 'The request is not valid HTTP', 'GET / HTTP/1.1\r\nHost: x\r\nX-Note: caf\x01\r\n\r\n'],
  ['400 Bad Request', 'The request is not valid HTTP', 'rubbish\r\n\r\n'],
  ['408 Request Timeout', 'The request took too long to arrive', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  [
    '413 Payload Too Large',
    'The chunk extensions are too long',
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  ],
  ['431 Request Header Fields Too Large', 'The request headers are too long', `GET / HTTP/1.1\r\nX-A: ${'x'.repeat(3_000)}`],
])('what node:http cannot read is answered with %s and a text, and the line is closed', async (status, error, bytes) => {
  const [head, body] = (await sendRaw(await open(), bytes)).split('\r\n\r\n')
  expect(head).toBe(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${error.length + 12}\r\n` +
      'cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close',
  )
  expect(body).toBe(`{"error":"${error}"}`)
})

it('is logged as a code alone, and no more than twenty times a minute', async () => {
  const url = await open()
  const say = async (count: number) => {
    for (let i = 0; i < count; i += 1) await sendRaw(url, 'GET / HTTP/1.1\r\nX-API-Key: cb_secret\r\nno header\r\n\r\n')
    return world.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'A request could not be read')
  }
  const lines = await say(25)
  expect(lines).toHaveLength(20)
  expect(lines[0]).toEqual(expect.objectContaining({ level: 20, code: 'HPE_INVALID_HEADER_TOKEN' }))
  expect(world.lines.join('')).not.toMatch(/cb_secret|rawPacket|99,98,95/)
  world.nowMs = 60_000
  expect(await say(1)).toHaveLength(21)
})

it('nothing is written into an answer that has begun', async () => {
  const { port } = new URL(await open())
  const socket = connect(Number(port), '127.0.0.1')
  let heard = ''
  const closed = new Promise((done) => socket.on('close', done))
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    heard += chunk
    if (heard.includes('data: first')) socket.write('rubbish\r\n\r\n')
  })
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await closed
  expect(heard).toContain('data: first')
  expect(heard).not.toContain('400 Bad Request')
})
