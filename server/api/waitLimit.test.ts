import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createWaitLimit } from './waitLimit.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Opens lines to a server behind the limit. */
async function listen(answer: RequestListener): Promise<() => Promise<Socket>> {
  const isOver = createWaitLimit()
  const server = createServer((request, response) => {
    if (!isOver(request.socket, response)) answer(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closers.push(() => void server.close())
  return async () => {
    const line = connect((server.address() as AddressInfo).port, '127.0.0.1')
    closers.push(() => line.destroy())
    await once(line, 'connect')
    line.on('error', () => undefined)
    return line
  }
}

const one = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** Reads until so many answers have come. */
async function readAnswers(line: Socket, count: number): Promise<void> {
  let read = ''
  while (read.split('HTTP/1.1 204').length - 1 < count) read += String((await once(line, 'data'))[0])
}

const isClosed = (line: Socket) => new Promise((resolve) => line.once('close', resolve))

it('whoever waits for answers now and then may send on without end', async () => {
  let seen = 0
  const open = await listen((_request, response) => {
    seen += 1
    response.writeHead(204).end()
  })
  const line = await open()
  for (let times = 0; times < 10; times += 1) {
    const answered = readAnswers(line, 100)
    line.write(one.repeat(100))
    await answered
  }
  expect(seen).toBe(1_000)
})

it.each([
  ['at once', true],
  ['never', false],
])('a line with thousands of requests that are answered %s is ended', async (_when, isAnswered) => {
  let seen = 0
  const open = await listen((_request, response) => {
    seen += 1
    if (isAnswered) response.writeHead(204).end()
  })
  const line = await open()
  line.resume()
  line.write(one.repeat(20_000))
  await isClosed(line)
  // The one that was its turn, and those behind it.
  expect(seen).toBe(129)
})

it('many lines of one client have no more than one, until some are gone', async () => {
  const waiting: (() => void)[] = []
  const open = await listen((_request, response) => waiting.push(() => response.writeHead(204).end()))
  const [first, second, third] = [await open(), await open(), await open()]
  first.write(one.repeat(65))
  second.write(one.repeat(65))
  await expect.poll(() => waiting.length).toBe(130)
  const ended = isClosed(third)
  third.resume().write(one.repeat(2))
  await ended
  expect(waiting).toHaveLength(131)

  first.destroy()
  let answered = false
  // Whoever comes before the server knows of that is ended, too.
  while (!answered) {
    const later = await open()
    const told = readAnswers(later, 65).then(() => true)
    later.write(one.repeat(65))
    const pump = setInterval(() => {
      for (const answer of waiting.splice(0)) answer()
    }, 1)
    answered = await Promise.race([told, isClosed(later).then(() => false)]).finally(() => clearInterval(pump))
  }
})
