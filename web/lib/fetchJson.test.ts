import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchJson, RequestError, sendJson, withCacheBuster } from './fetchJson.ts'

let answer: (request: IncomingMessage, response: ServerResponse) => void
const server = createServer((request, response) => answer(request, response))
let url: string

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/thing`
})
afterAll(() => server.close())

/** Answers with what came: method, path, content type and body. */
const echo: typeof answer = async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const { method, url: path, headers } = request
  response.end(JSON.stringify({ method, path, type: headers['content-type'] ?? null, body }))
}

const failureOf = (call: Promise<unknown>): Promise<RequestError> =>
  call.then(
    () => {
      throw new Error('the call did not fail')
    },
    (error: RequestError) => error,
  )

test('an address that has a query keeps it', () => {
  expect(withCacheBuster('/a', 'x1')).toBe('/a?_=x1')
  expect(withCacheBuster('/a?b=c', 'x1')).toBe('/a?b=c&_=x1')
})

test('what is sent is JSON, and every address is one that no cache has seen', async () => {
  answer = echo
  expect(await sendJson('POST', url, { pin: '1234' })).toEqual({
    method: 'POST',
    path: expect.stringMatching(/^\/api\/thing\?_=[0-9a-z]+$/),
    type: 'application/json',
    body: '{"pin":"1234"}',
  })
  expect(await fetchJson(url, AbortSignal.timeout(5_000))).toMatchObject({
    method: 'GET',
    path: expect.stringMatching(/\?_=[0-9a-z]+$/),
  })
})

test('a call without a body does not say that it has one', async () => {
  answer = echo
  expect(await sendJson('DELETE', url)).toMatchObject({ method: 'DELETE', type: null, body: '' })
})

test('an answer without content is no failure', async () => {
  answer = (_, response) => response.writeHead(204).end()
  expect(await sendJson('POST', url)).toBeNull()
})

test("a refusal brings the server's text, and how long to wait", async () => {
  answer = (_, response) => response.writeHead(429, { 'retry-after': '30' }).end('{"error":"Too many attempts."}')
  const error = await failureOf(sendJson('POST', url, {}))
  expect(error).toBeInstanceOf(RequestError)
  expect([error.status, error.serverText, error.retryAfterSeconds]).toEqual([429, 'Too many attempts.', 30])
})

test('a refusal without words, or with words that are none, has no text', async () => {
  for (const body of ['', '<h1>Bad gateway</h1>', '{"error":""}', '{"error":{"text":"x"}}']) {
    answer = (_, response) => response.writeHead(502, { 'retry-after': 'soon' }).end(body)
    const error = await failureOf(sendJson('POST', url, {}))
    expect([error.status, error.serverText, error.retryAfterSeconds], body).toEqual([502, undefined, undefined])
  }
})

test('a lost connection has no status', async () => {
  answer = (request) => request.socket.destroy()
  const error = await failureOf(sendJson('POST', url, {}))
  expect(error).toBeInstanceOf(RequestError)
  expect(error.status).toBeUndefined()
})
