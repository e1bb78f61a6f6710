import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { createDrain } from './drain.ts'

/** A client in a thread of its own: it connects, and sends its request when the test says so. */
const client = `
const { connect } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const turns = new Int32Array(workerData.turns)
let text = ''
const socket = connect(workerData.port, '127.0.0.1', () => {
  parentPort.postMessage('connected')
  Atomics.wait(turns, 0, 0)
  socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => {
    Atomics.store(turns, 1, 1)
    Atomics.notify(turns, 1)
  })
})
socket.on('error', (error) => parentPort.postMessage({ failed: error.code, text }))
socket.on('close', () => parentPort.postMessage({ text }))
socket.on('data', (chunk) => {
  text += chunk
})`

/** Clients in a thread of their own: they connect when the test says so, and send a request each. */
const clients = `
const { connect } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const turns = new Int32Array(workerData.turns)
Atomics.wait(turns, 0, 0)
let sent = 0
for (let place = 0; place < workerData.count; place += 1) {
  let text = ''
  const socket = connect(workerData.port, '127.0.0.1', () => {
    socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => {
      sent += 1
      if (sent < workerData.count) return
      Atomics.store(turns, 1, 1)
      Atomics.notify(turns, 1)
    })
  })
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', (error) => parentPort.postMessage(error.code))
  socket.on('close', () => parentPort.postMessage(text.slice(-5)))
}`

/** Connects on and on, until nobody listens. */
const flood = `
const { connect } = require('node:net')
const { workerData } = require('node:worker_threads')
const again = () => {
  const socket = connect(workerData.port, '127.0.0.1', () => setTimeout(again, 5))
  socket.on('error', (error) => {
    if (error.code !== 'ECONNREFUSED' && error.code !== 'ECONNRESET') throw error
  })
  setTimeout(() => socket.destroy(), 100).unref()
}
again()`

/** A server that drains. */
async function open() {
  const drain = createDrain()
  const server = createServer((_, response) => {
    const answer = () => void response.end('whole')
    if (!drain.hold(response, answer)) answer()
  })
  drain.watch(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { drain, server, port: (server.address() as AddressInfo).port }
}

/** Many clients that wait for `go`. `answers`: the end of what each got, or its failure; `turns[1]` turns 1 when all have sent a request. */
async function startClients(port: number, count: number) {
  const shared = new SharedArrayBuffer(8)
  const turns = new Int32Array(shared)
  const worker = new Worker(clients, { eval: true, workerData: { port, turns: shared, count } })
  const answers = new Promise<readonly unknown[]>((done) => {
    const messages: unknown[] = []
    worker.on('message', (message) => {
      messages.push(message)
      if (messages.length === count) void worker.terminate().then(() => done(messages))
    })
  })
  const go = () => {
    Atomics.store(turns, 0, 1)
    Atomics.notify(turns, 0)
  }
  await new Promise((online) => worker.once('online', online))
  return { turns, answers, go }
}

it('answers a first request that came while the server was busy for longer than a silent connection is kept', async () => {
  const { drain, port } = await open()
  const shared = new SharedArrayBuffer(8)
  const turns = new Int32Array(shared)
  const worker = new Worker(client, { eval: true, workerData: { port, turns: shared } })
  const messages: unknown[] = []
  const ended = new Promise<void>((done) => {
    worker.on('message', (message) => {
      messages.push(message)
      if (message !== 'connected') done()
    })
  })
  await expect.poll(() => messages).toEqual(['connected'])
  // When the listener is closed: a long piece of work, in which the request comes.
  drain.onListenerClosed(() =>
    queueMicrotask(() => {
      Atomics.store(turns, 0, 1)
      Atomics.notify(turns, 0)
      Atomics.wait(turns, 1, 0)
      const untilMs = performance.now() + 700
      while (performance.now() < untilMs);
    }),
  )
  await drain.run({ noticeMs: 0, finishMs: 5_000 })
  await ended
  await worker.terminate()
  expect(messages).toHaveLength(2)
  expect(messages[1]).toEqual({ text: expect.stringMatching(/^HTTP\/1\.1 200 OK[\s\S]*whole$/) })
})

it('answers the next request of a connection that is kept, a moment after the listener closed', async () => {
  const { drain, port } = await open()
  const line = connect(port, '127.0.0.1')
  let text = ''
  line.on('data', (chunk) => (text += chunk))
  const ended = new Promise((done) => line.once('close', done))
  const ask = () => line.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  ask()
  await expect.poll(() => text).toMatch(/whole$/)
  // Later than the connection would be closed if it were at once, and well before it is.
  drain.onListenerClosed(() => setTimeout(ask, 200))
  await drain.run({ noticeMs: 0, finishMs: 5_000 })
  await ended
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  expect(text).toMatch(/Connection: close\r\n[\s\S]*whole$/)
})

it('leaves the listener open for a moment after an answer, so that its client may come back', async () => {
  const drain = createDrain()
  let answeredMs = 0
  const server = createServer((_, response) => {
    response.once('close', () => {
      answeredMs = performance.now()
    })
    // Shorter than the quiet moment that the listener waits for.
    const answer = () => setTimeout(() => response.end('whole'), 30)
    if (!drain.hold(response, answer)) answer()
  })
  drain.watch(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const line = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const ended = new Promise((done) => line.once('close', done))
  line.resume().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  let [begunMs, closedMs] = [0, 0]
  drain.onBegin(() => {
    begunMs = performance.now()
  })
  drain.onListenerClosed(() => {
    closedMs = performance.now()
  })
  // It is drained at the request, before its answer.
  await new Promise<void>((drained) =>
    server.prependOnceListener('request', () => void drain.run({ noticeMs: 0, finishMs: 5_000 }).then(drained)),
  )
  await ended
  // A timer may be a millisecond early. After a second the listener closes in any case, also when this machine stood still for so long.
  const isOver = closedMs - begunMs > 998
  expect(isOver || closedMs - answeredMs > 198, `${closedMs - answeredMs} ms after the answer`).toBe(true)
})

it('takes all connections that came in one long piece of work before the listener closes', async () => {
  const { drain, port } = await open()
  const count = 20
  const { turns, answers, go } = await startClients(port, count)
  const drained = drain.run({ noticeMs: 0, finishMs: 5_000 })
  // While the listener waits for a quiet moment: for longer than it ever does.
  setTimeout(() => {
    go()
    Atomics.wait(turns, 1, 0)
    const untilMs = performance.now() + 1_100
    while (performance.now() < untilMs);
  }, 10)
  await drained
  expect(await answers).toEqual(Array(count).fill('whole'))
})

it('takes all connections that wait where every turn is long', async () => {
  const { drain, port } = await open()
  const count = 45
  const { answers, go } = await startClients(port, count)
  let working = true
  const work = () => {
    const untilMs = performance.now() + 40
    while (performance.now() < untilMs);
    if (working) setImmediate(work)
  }
  work()
  const drained = drain.run({ noticeMs: 0, finishMs: 10_000 })
  go()
  await drained
  working = false
  expect(await answers).toEqual(Array(count).fill('whole'))
})

it('closes the listener although somebody connects on and on', async () => {
  const { drain, server, port } = await open()
  const worker = new Worker(flood, { eval: true, workerData: { port } })
  const ended = new Promise((done) => worker.once('exit', done))
  await new Promise((came) => server.once('connection', came))
  await drain.run({ noticeMs: 0, finishMs: 5_000 })
  // The flood ends when it is refused: by itself, not by the test.
  expect(await ended).toBe(0)
})
