import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readJson } from './cmc/readJson.ts'
import { readBody } from './readBody.ts'
import { exchangeGraphql } from './subgraph/exchangeGraphql.ts'
import { fetchUrlList } from './urlList/fetchUrlList.ts'
import { whyUnanswered } from './whyUnanswered.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function site(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/secret-key`
}

/** Where nothing listens: what listened there is gone. */
async function nowhere(): Promise<string> {
  const url = await site(() => undefined)
  for (const close of closing.splice(0)) close()
  return url
}

const words = { late: 'too late', broken: 'broken' }

describe('why a request got no answer', () => {
  it('is its time limit, the code of the system, or that the connection broke', async () => {
    const silent = await site(() => undefined)
    const late = await fetch(silent, { signal: AbortSignal.timeout(20) }).catch((error: unknown) => error)
    expect(whyUnanswered(late, words)).toBe('too late')
    const refused = await fetch(await nowhere()).catch((error: unknown) => error)
    expect(whyUnanswered(refused, words)).toBe('ECONNREFUSED')
    expect(whyUnanswered(new TypeError('fetch failed: https://key@host'), words)).toBe('broken')
    expect(whyUnanswered(undefined, words)).toBe('broken')
    expect(whyUnanswered(new Error('x', { cause: { code: 7 } }), words)).toBe('broken')
  })

  it('is reported without the URL, in which a key may stand', async () => {
    const gone = await nowhere()
    const asked = [
      exchangeGraphql({ url: gone, timeoutMs: 5_000, bodyBytesMax: 100 }, '{}'),
      readJson(gone, { headers: {}, timeoutMs: 5_000, bodyBytesMax: 100, signal: new AbortController().signal }),
      fetchUrlList(gone, { etag: undefined, signal: new AbortController().signal }),
    ]
    for (const result of await Promise.allSettled(asked)) {
      if (result.status === 'fulfilled') throw new Error('it was answered')
      expect(result.reason).toMatchObject({ code: 'upstream-unavailable', retryable: true })
      expect(result.reason.message).toContain('ECONNREFUSED')
      expect(`${result.reason.message} ${result.reason.cause}`).not.toContain('secret-key')
    }
  })

  it('is reported for a subgraph that is late, refuses for a while, fails, or says too much', async () => {
    const answer = async (listener: RequestListener) =>
      exchangeGraphql({ url: await site(listener), timeoutMs: 100, bodyBytesMax: 10 }, '{}').catch((error: unknown) => error)
    expect(await answer(() => undefined)).toMatchObject({
      ...{ code: 'upstream-unavailable', message: 'The subgraph is not responding: no answer within 0.1 s' },
    })
    expect(await answer((_, response) => response.writeHead(429, { 'retry-after': '7' }).end())).toMatchObject({
      ...{ code: 'upstream-rate-limited', detail: { retryAfterMs: 7_000 } },
    })
    expect(await answer((_, response) => response.writeHead(503).end())).toMatchObject({
      ...{ code: 'upstream-unavailable', message: 'The subgraph returned HTTP 503' },
    })
    expect(await answer((_, response) => response.end('x'.repeat(11)))).toMatchObject({
      ...{ code: 'upstream-invalid', message: 'The subgraph returned more than 10 bytes' },
    })
    const whole = await answer((_, response) => response.writeHead(400).end('{"a":1}'))
    expect(whole).toMatchObject({ text: '{"a":1}', response: { status: 400 } })
  })
})

describe('the body of an answer', () => {
  it('is read as it comes, letters that are cut in two among them', async () => {
    const bytes = new TextEncoder().encode('a🎈b')
    const pieces = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    })
    expect(await readBody(new Response(pieces), 6)).toBe('a🎈b')
    expect(await readBody(new Response('a🎈b'), 5)).toBeUndefined()
    expect(await readBody(new Response(null), 0)).toBe('')
    expect(await readBody(new Response(''), 0)).toBe('')
  })
})
