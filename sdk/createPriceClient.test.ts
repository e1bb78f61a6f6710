import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createPriceClient } from './createPriceClient.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A site that answers each request in turn; the last answer stays. */
async function site(...handlers: readonly Handler[]) {
  const heard: { line: string; headers: IncomingMessage['headers']; body: string; atMs: number }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk
    })
    request.on('end', () => {
      heard.push({ line: `${request.method} ${request.url}`, headers: request.headers, body, atMs: performance.now() })
      handlers[Math.min(heard.length, handlers.length) - 1]?.(request, response, body)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { heard, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const say =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const price = { success: true, data: { symbol: 'ALPHA', usdPrice: 25 }, rateLimit: { tier: 'free', limit: 1000, remaining: 9 } }
const refuse = (status: number, code: string, headers: Record<string, string> = {}) =>
  say(status, { success: false, error: { code, message: `It is ${code}`, limit: 5, remaining: 0 } }, headers)
const never: Handler = () => undefined
const cut: Handler = (request) => request.socket.destroy()
const quick = { retriesMax: 2, waitSecondsMax: 1, timeoutMs: 5_000 }

describe('the client', () => {
  it('asks each route as the API has it, with the key', async () => {
    const { heard, baseUrl } = await site(say(200, price))
    const client = createPriceClient({ baseUrl, apiKey: 'cb_key' })
    expect(await client.getPrice('0xAb')).toEqual(price)
    await client.listPrices()
    await client.getPriceBySymbol('a/b ü')
    await client.listPricesOf(['0x1', '0x2'])
    expect(heard.map(({ line }) => line)).toEqual([
      'GET /api/v1/prices/0xAb',
      'GET /api/v1/prices',
      'GET /api/v1/prices/symbol/a%2Fb%20%C3%BC',
      'POST /api/v1/prices/batch',
    ])
    expect(heard[3]?.body).toBe('{"addresses":["0x1","0x2"]}')
    expect(heard.map(({ headers }) => headers['x-api-key'])).toEqual(Array(4).fill('cb_key'))
    await createPriceClient({ baseUrl }).listPrices()
    expect(heard[4]?.headers['x-api-key']).toBeUndefined()
  })

  it('tells a refusal with all that the API says of it', async () => {
    const { heard, baseUrl } = await site(refuse(403, 'KEY_EXPIRED', { 'x-request-id': 'abc-1' }))
    await expect(createPriceClient({ baseUrl, ...quick }).getPrice('0x1')).rejects.toMatchObject({
      name: 'PriceApiError',
      code: 'KEY_EXPIRED',
      message: 'It is KEY_EXPIRED',
      status: 403,
      limit: 5,
      remaining: 0,
      requestId: 'abc-1',
    })
    expect(heard).toHaveLength(1)
  })

  it('waits as long as the API asks for, then tries again', async () => {
    const { heard, baseUrl } = await site(refuse(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '1' }), say(200, price))
    expect(await createPriceClient({ baseUrl, ...quick }).getPrice('0x1')).toEqual(price)
    expect((heard[1]?.atMs ?? 0) - (heard[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(990)
  })

  it('takes a date to come back at for the wait until then, by the clock of the one that sent it', async () => {
    const date = 'Sun, 22 Nov 2026 10:00:00 GMT'
    const heads = (retryAfter: string) => ({ date, 'retry-after': retryAfter })
    const soon = refuse(503, 'UNAVAILABLE', heads('Sun, 22 Nov 2026 10:00:01 GMT'))
    const { heard, baseUrl } = await site(soon, say(200, price))
    expect(await createPriceClient({ baseUrl, ...quick }).getPrice('0x1')).toEqual(price)
    expect((heard[1]?.atMs ?? 0) - (heard[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(990)
    for (const [retryAfter, retryAfterSeconds] of [
      ['Sun, 22 Nov 2026 10:01:00 GMT', 60],
      ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
      ['later', undefined],
      ['-1', undefined],
    ] as const) {
      const late = await site(refuse(503, 'UNAVAILABLE', heads(retryAfter)))
      await expect(createPriceClient({ baseUrl: late.baseUrl, retriesMax: 0 }).listPrices()).rejects.toMatchObject({
        retryAfterSeconds,
      })
    }
  })

  it('does not sit out a wait that is longer than it may be', async () => {
    const { heard, baseUrl } = await site(refuse(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '30000' }))
    await expect(createPriceClient({ baseUrl, ...quick }).getPrice('0x1')).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfterSeconds: 30_000,
    })
    expect(heard).toHaveLength(1)
  })

  it('tries so often after failures, a line that broke among them, and no more', async () => {
    const mended = await site(cut, refuse(503, 'UNAVAILABLE'), say(200, price))
    expect(await createPriceClient({ baseUrl: mended.baseUrl, ...quick }).getPrice('0x1')).toEqual(price)
    const broken = await site(refuse(500, 'SERVER_ERROR'))
    await expect(createPriceClient({ baseUrl: broken.baseUrl, ...quick }).getPrice('0x1')).rejects.toMatchObject({
      code: 'SERVER_ERROR',
    })
    expect([mended.heard.length, broken.heard.length]).toEqual([3, 3])
  })

  it('says that it is not the API that answered', async () => {
    const page = await site((_request, response) => response.writeHead(404).end('<html>'))
    await expect(createPriceClient({ baseUrl: page.baseUrl }).listPrices()).rejects.toMatchObject({
      code: 'NO_ANSWER',
      status: 404,
      message: 'Status 404, not a response of the price API',
    })
    const half = await site((_request, response) => response.writeHead(200).end('{"succ'))
    await expect(createPriceClient({ baseUrl: half.baseUrl }).listPrices()).rejects.toMatchObject({ code: 'NO_ANSWER' })
  })

  it.each([[{ usdPrice: 25 }], [{ success: true }], [{ success: false, data: {} }], [[]], [null], ['a text']])(
    'takes no JSON of another program for a price: %j',
    async (body) => {
      const { heard, baseUrl } = await site(say(200, body))
      await expect(createPriceClient({ baseUrl, ...quick }).getPrice('0x1')).rejects.toMatchObject({
        code: 'NO_ANSWER',
        status: 200,
        message: 'Status 200, not a response of the price API',
      })
      // Asking again would bring the same.
      expect(heard).toHaveLength(1)
    },
  )

  it.each([[{ error: { code: 7 } }], [{ error: 'KEY_EXPIRED' }], [{ code: 'KEY_EXPIRED' }], [[]], [null]])(
    'takes no JSON of another program for a refusal: %j',
    async (body) => {
      const { baseUrl } = await site(say(403, body))
      await expect(createPriceClient({ baseUrl }).getPrice('0x1')).rejects.toMatchObject({ code: 'NO_ANSWER', status: 403 })
    },
  )

  it('gives up on a silent server, and at once when the caller does', async () => {
    const { baseUrl } = await site(never)
    await expect(createPriceClient({ baseUrl, retriesMax: 0, timeoutMs: 50 }).listPrices()).rejects.toMatchObject({
      code: 'NO_ANSWER',
      cause: { message: 'No response within 50 ms' },
    })
    const enough = new Error('enough')
    const giveUp = new AbortController()
    const call = createPriceClient({ baseUrl }).listPrices({ signal: giveUp.signal })
    giveUp.abort(enough)
    await expect(call).rejects.toBe(enough)
  })

  it('gives up on an answer that stops in its middle, and asks again', async () => {
    const stall: Handler = (_request, response) => void response.writeHead(200).write('{"success":')
    const { heard, baseUrl } = await site(stall)
    await expect(createPriceClient({ baseUrl, retriesMax: 1, timeoutMs: 50 }).listPrices()).rejects.toMatchObject({
      code: 'NO_ANSWER',
      status: undefined,
      message: `The response from ${baseUrl}api/v1/prices broke off`,
      cause: { message: 'No response within 50 ms' },
    })
    expect(heard).toHaveLength(2)
    const mended = await site(stall, say(200, price))
    expect(await createPriceClient({ baseUrl: mended.baseUrl, timeoutMs: 400 }).getPrice('0x1')).toEqual(price)
    const giveUp = new AbortController()
    const call = createPriceClient({ baseUrl }).listPrices({ signal: giveUp.signal })
    await expect.poll(() => heard.length).toBe(3)
    giveUp.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })

  it('ends a wait when the caller gives up', async () => {
    const giveUp = new AbortController()
    const { baseUrl } = await site((request, response, body) => {
      refuse(503, 'UNAVAILABLE', { 'retry-after': '9' })(request, response, body)
      response.on('close', () => giveUp.abort(new Error('enough')))
    })
    await expect(createPriceClient({ baseUrl }).listPrices({ signal: giveUp.signal })).rejects.toThrow('enough')
  })
})

describe('a stream', () => {
  const open: Handler = (_request, response) => response.writeHead(200, { 'content-type': 'text/event-stream' })
  const tell =
    (...pieces: readonly string[]): Handler =>
    (request, response, body) => {
      open(request, response, body)
      for (const piece of pieces) response.write(piece)
    }

  it('reads events however they are cut, past comments and odd ends of lines', async () => {
    const { heard, baseUrl } = await site(
      tell(
        'retry: 10\nid: a-1\nevent: ready\nda',
        'ta: {"resumed":false,"block":7}\n\n:\n\nid: a-2\r\nevent: price\r\ndata: {"symbol":"A",\r\n',
        'data: "usdPrice":1}\r\n\r\nevent: other\ndata: {}\n\nid: a-3\nevent: retracted\ndata: {"block":6,"addresses":["0x1"]}\n\n',
      ),
    )
    const stream = createPriceClient({ baseUrl }).streamPrices({ addresses: ['0x1', '0x2'], lastEventId: 'a-0' })
    expect([(await stream.next()).value, (await stream.next()).value, (await stream.next()).value]).toEqual([
      { kind: 'ready', id: 'a-1', data: { resumed: false, block: 7 } },
      { kind: 'price', id: 'a-2', data: { symbol: 'A', usdPrice: 1 } },
      { kind: 'retracted', id: 'a-3', data: { block: 6, addresses: ['0x1'] } },
    ])
    expect([heard[0]?.line, heard[0]?.headers['last-event-id']]).toEqual(['GET /api/v1/stream?addresses=0x1,0x2', 'a-0'])
    await stream.return(undefined as never)
  })

  it('comes back by itself and continues after the last event', async () => {
    const { heard, baseUrl } = await site((request, response, body) => {
      tell('id: a-5\nevent: price\ndata: {"usdPrice":1}\n\n')(request, response, body)
      response.end()
    }, tell('id: a-6\nevent: price\ndata: {"usdPrice":2}\n\n'))
    const giveUp = new AbortController()
    const stream = createPriceClient({ baseUrl }).streamPrices({ signal: giveUp.signal })
    expect((await stream.next()).value.id).toBe('a-5')
    expect((await stream.next()).value.id).toBe('a-6')
    expect(heard.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'a-5'])
    const rest = stream.next()
    giveUp.abort(new Error('enough'))
    await expect(rest).rejects.toThrow('enough')
  })

  it('waits before it comes back for as long as the server asks', async () => {
    const told = 'id: b-1\nevent: price\ndata: {"usdPrice":1}\n\n'
    const { heard, baseUrl } = await site((request, response, body) => {
      tell(told, 'retry: 3100\n\n')(request, response, body)
      response.end()
    }, tell(told))
    const stream = createPriceClient({ baseUrl }).streamPrices()
    await stream.next()
    await stream.next()
    // Unasked, it waits for three seconds at most.
    expect((heard[1]?.atMs ?? 0) - (heard[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(3_100)
    await stream.return(undefined as never)
  })

  it.each([
    ['a price without its figure', 'price', '{"price":1}'],
    ['a start that does not say whether it resumed', 'ready', '{"block":7}'],
    ['a retraction without tokens', 'retracted', '{"block":7}'],
    ['no JSON', 'price', '{"usd'],
  ])('counts %s as a broken line', async (_, name, data) => {
    const told = 'id: b-2\nevent: price\ndata: {"usdPrice":2}\n\n'
    const { heard, baseUrl } = await site(tell(`id: b-1\nevent: ${name}\ndata: ${data}\n\n${told}`), tell(told))
    const stream = createPriceClient({ baseUrl }).streamPrices()
    expect((await stream.next()).value).toEqual({ kind: 'price', id: 'b-2', data: { usdPrice: 2 } })
    // From where it was before.
    expect(heard.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, undefined])
    await stream.return(undefined as never)
  })

  it('ends when it may not continue', async () => {
    const ended = await site(tell('event: ended\ndata: {"code":"KEY_INACTIVE","message":"Paused"}\n\n'))
    await expect(createPriceClient({ baseUrl: ended.baseUrl }).streamPrices().next()).rejects.toMatchObject({
      code: 'KEY_INACTIVE',
      message: 'Paused',
    })
    const refused = await site(refuse(401, 'INVALID_API_KEY'))
    await expect(createPriceClient({ baseUrl: refused.baseUrl }).streamPrices().next()).rejects.toMatchObject({ status: 401 })
  })
})
