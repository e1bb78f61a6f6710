import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFakeKeyGate } from '../testing/fakeKeyGate.ts'
import { alpha } from '../testing/market.ts'
import { type PriceApiWorld, servePriceApi } from '../testing/priceApi.ts'
import { sendRaw } from '../testing/sendRaw.ts'

const statusOf = (answer: string) => answer.split('\r\n')[0]

describe('a request with two Host lines', () => {
  let api: PriceApiWorld
  beforeAll(async () => {
    api = await servePriceApi(createFakeKeyGate())
  })
  afterAll(() => api.app.close())

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

describe('a request to a name that is not of this machine', () => {
  const ask = (api: PriceApiWorld, host: string, path = `/api/v1/prices/${alpha}`) =>
    sendRaw(api.url, `GET ${path} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`)

  it('is refused by a site without a PUBLIC_URL: a page whose name leads here, and visitors who come by a proxy', async () => {
    const api = await servePriceApi(createFakeKeyGate(), { isLocal: true })
    for (const host of ['evil.example', 'evil.example:3000', '192.168.1.2:3000', '127.0.0.1.evil.example']) {
      for (const path of [`/api/v1/prices/${alpha}`, '/api/config', '/metrics', '/healthz']) {
        const answer = await ask(api, `Host: ${host}`, path)
        expect(statusOf(answer)).toBe('HTTP/1.1 421 Misdirected Request')
        expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
          error: `Host: found "${host}", expected localhost or 127.0.0.1. Set PUBLIC_URL to the address that visitors use`,
        })
      }
    }
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'board.localhost:80'])
      expect(statusOf(await ask(api, `Host: ${host}`))).toBe('HTTP/1.1 200 OK')
    await api.app.close()
  })

  it('is answered by a site that has one', async () => {
    const api = await servePriceApi(createFakeKeyGate(), { publicOrigin: 'https://board.example' })
    for (const host of ['board.example', '10.0.0.7:3000'])
      expect(statusOf(await ask(api, `Host: ${host}`))).toBe('HTTP/1.1 200 OK')
    await api.app.close()
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
