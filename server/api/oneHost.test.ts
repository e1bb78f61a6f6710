import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFakeKeyGate } from '../testing/fakeKeyGate.ts'
import { alpha } from '../testing/market.ts'
import { type PriceApiWorld, servePriceApi } from '../testing/priceApi.ts'
import { sendRaw } from '../testing/sendRaw.ts'

describe('a request with two Host lines', () => {
  let api: PriceApiWorld
  beforeAll(async () => {
    api = await servePriceApi(createFakeKeyGate())
  })
  afterAll(() => api.app.close())

  const statusOf = (answer: string) => answer.split('\r\n')[0]
  // The price is answered by the hot path, the others by routes and by node's own event for `Expect`.
  it.each([
    ['a price', `/api/v1/prices/${alpha}`, ''],
    ['all prices', '/api/v1/prices', ''],
    ['a page of tokens', '/assets.json?page=1', ''],
    ['the figures', '/metrics', ''],
    ['what expects more', '/metrics', 'Expect: tea\r\n'],
  ])('is refused for %s, and its line is closed', async (_what, path, more) => {
    for (const second of ['Host: b', 'Host: a', 'hOST: b', 'Host:']) {
      const answer = await sendRaw(api.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Note: c\r\n${second}\r\n${more}\r\n`)
      expect(statusOf(answer)).toBe('HTTP/1.1 400 Bad Request')
      expect(answer).toContain('\r\nconnection: close\r\n')
      expect(answer.split('\r\n\r\n')[1]).toBe('{"error":"The request has more than one Host header"}')
    }
  })

  it('is refused when the request before it on the line was good', async () => {
    const good = `GET /api/v1/prices/${alpha} HTTP/1.1\r\nHost: a\r\n\r\n`
    const answer = await sendRaw(api.url, good + good.replace('Host: a', 'Host: a\r\nHost: b'))
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('is none when a header only sounds like it', async () => {
    const bytes = `GET /api/v1/prices/${alpha} HTTP/1.1\r\nHost: a\r\nX-Forwarded-Host: b\r\nHoss: b\r\nConnection: close\r\n\r\n`
    expect(statusOf(await sendRaw(api.url, bytes))).toBe('HTTP/1.1 200 OK')
  })
})

describe('Strict-Transport-Security', () => {
  it.each([
    ['https://board.example', 'max-age=31536000'],
    ['http://board.example', undefined],
    [undefined, undefined],
  ])('where PUBLIC_URL is %s is %s', async (publicOrigin, wanted) => {
    const api = await servePriceApi(createFakeKeyGate(), { publicOrigin })
    expect((await api.app.inject('/api/config')).headers['strict-transport-security']).toBe(wanted)
    await api.app.close()
  })
})
