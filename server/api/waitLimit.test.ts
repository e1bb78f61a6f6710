import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createWaitLimit } from './waitLimit.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server behind the limit, and a line to it. */
async function openLine(answer: RequestListener): Promise<Socket> {
  const isOver = createWaitLimit()
  const server = createServer((request, response) => {
    if (!isOver(request.socket, response)) answer(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const line = connect((server.address() as AddressInfo).port, '127.0.0.1')
  closers.push(
    () => void server.close(),
    () => line.destroy(),
  )
  await once(line, 'connect')
  return line
}

const one = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** Reads until so many answers have come. */
async function readAnswers(line: Socket, count: number): Promise<void> {
  let read = ''
  while (read.split('HTTP/1.1 204').length - 1 < count) read += String((await once(line, 'data'))[0])
}

it('whoever waits for answers now and then may send on without end', async () => {
  let seen = 0
  const line = await openLine((_request, response) => {
    seen += 1
    response.writeHead(204).end()
  })
  for (let times = 0; times < 5; times += 1) {
    const answered = readAnswers(line, 200)
    line.write(one.repeat(200))
    await answered
  }
  expect(seen).toBe(1_000)
})

it.each([
  ['at once', true],
  ['never', false],
])('a line with thousands of requests that are answered %s is ended', async (_when, isAnswered) => {
  let seen = 0
  const line = await openLine((_request, response) => {
    seen += 1
    if (isAnswered) response.writeHead(204).end()
  })
  line.on('error', () => undefined)
  line.resume()
  line.write(one.repeat(20_000))
  await new Promise((resolve) => line.once('close', resolve))
  // The one that was its turn, and those behind it.
  expect(seen).toBe(257)
})
