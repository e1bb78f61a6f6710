import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TokenListEntry } from '../../market/tokenList.ts'
import { createFakeKeyGate } from '../../testing/fakeKeyGate.ts'
import { alpha, listed, usdc } from '../../testing/market.ts'
import { alphaSnapshot, type PriceApiWorld, servePriceApi, toMarket, toSnapshot } from '../../testing/priceApi.ts'

type Answer = { readonly status: number; readonly head: string; readonly body: string }

const limit = 100_000
let api: PriceApiWorld
let gate: ReturnType<typeof createFakeKeyGate>
const lines: Socket[] = []
beforeEach(async () => {
  gate = createFakeKeyGate({ good: { limit } })
  api = await servePriceApi(gate)
})
afterEach(async () => {
  for (const line of lines.splice(0)) line.destroy()
  await api.app.close()
})

const ask = (path: string, more = '', method = 'GET', version = '1.1') =>
  `${method} /api/v1${path} HTTP/${version}\r\nHost: board.example\r\nX-API-Key: good\r\n${more}\r\n`
const price = ask(`/prices/${alpha}`)
/** A query goes to the routes, which take their time. */
const routed = ask(`/prices/${usdc}?_=1`)

/** One line to the server, read as it comes: nothing that a client would smooth over is hidden, and nothing is read that is not waited for. */
async function open() {
  const line = connect(Number(new URL(api.url).port), '127.0.0.1')
  lines.push(line)
  await once(line, 'connect')
  const chunks: AsyncIterator<Buffer> = line[Symbol.asyncIterator]()
  let heard = Buffer.alloc(0)
  const next = async (isHead = false): Promise<Answer> => {
    for (;;) {
      const answer = cut(heard, isHead)
      if (answer) {
        heard = heard.subarray(answer.bytes)
        return answer
      }
      const { value, done } = await chunks.next()
      if (done) throw new Error('the line ended')
      heard = Buffer.concat([heard, value])
    }
  }
  return { line, next, left: () => heard.length, isEnded: async () => (await chunks.next()).done }
}

/** The first answer in what was heard. */
function cut(heard: Buffer, isHead: boolean): (Answer & { bytes: number }) | undefined {
  const end = heard.indexOf('\r\n\r\n') + 4
  if (end < 4) return undefined
  const head = heard.toString('latin1', 0, end)
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
  if (Number.isNaN(status)) throw new Error(`This is no answer: ${head}`)
  const length = isHead || status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  if (heard.length < end + length) return undefined
  return { status, head, body: heard.toString('utf8', end, end + length), bytes: end + length }
}

const remainingOf = ({ body }: Answer) => JSON.parse(body).rateLimit.remaining as number

describe('an answer whose head is written beforehand', () => {
  it('says when it was made and that the line stays, and leaves it as it should be', async () => {
    const { line, next, left } = await open()
    for (const remaining of [99_999, 99_998, 99_997]) {
      line.write(price)
      const answer = await next()
      expect([answer.status, remainingOf(answer)]).toEqual([200, remaining])
      expect(answer.head).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\nConnection: keep-alive\r\n\r\n$/)
      expect(answer.head).toContain('\r\nkeep-alive: timeout=55\r\n')
      expect(left()).toBe(0)
    }
    line.write(price)
    const ageMs = Date.now() - Date.parse(/Date: (.*)\r/.exec((await next()).head)?.[1] ?? '')
    expect(ageMs).toBeGreaterThanOrEqual(0)
    expect(ageMs).toBeLessThan(10_000)
  })

  it('comes in its turn when requests come all at once, no matter who answers faster', async () => {
    const { line, next } = await open()
    line.write(price)
    const tag = /etag: (.*)\r/.exec((await next()).head)?.[1]
    line.write(routed + price + ask('/prices') + ask(`/prices/${alpha}`, `If-None-Match: ${tag}\r\n`) + routed + price)
    const answers = [await next(), await next(), await next(), await next(), await next(), await next()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 304, 200, 200])
    const symbols = [0, 1, 4, 5].map((place) => JSON.parse(answers[place]?.body ?? '').data.symbol)
    expect(symbols).toEqual(['USDC', 'ALPHA', 'USDC', 'ALPHA'])
    expect(JSON.parse(answers[2]?.body ?? '').data).toHaveLength(6)
  })

  it('is not for HEAD, whose answer has no body', async () => {
    const { line, next, left } = await open()
    line.write(ask(`/prices/${alpha}`, '', 'HEAD') + price)
    const head = await next(true)
    expect([head.status, /\r\ncontent-length: \d{3}\r/.test(head.head)]).toEqual([200, true])
    expect((await next()).body).toContain('"symbol":"ALPHA"')
    expect(left()).toBe(0)
  })

  it.each([
    ['a caller that wants it so', ask(`/prices/${alpha}`, 'Connection: close\r\n')],
    ['a caller of HTTP/1.0', ask(`/prices/${alpha}`, '', 'GET', '1.0')],
  ])('is not for lines that are to be closed, which are: %s', async (_who, request) => {
    const { line, next, left, isEnded } = await open()
    line.write(request)
    const answer = await next()
    expect([answer.status, JSON.parse(answer.body).data.symbol]).toEqual([200, 'ALPHA'])
    expect(answer.head).toMatch(/\r\nConnection: close\r\n/i)
    expect(answer.head).not.toMatch(/keep-alive/i)
    expect([left(), await isEnded()]).toEqual([0, true])
  })

  it('is given to a caller who wants the line closed and sends on all the same', async () => {
    const { line, next, isEnded } = await open()
    line.write(ask(`/prices/${alpha}`, 'Connection: close\r\n') + price)
    expect(JSON.parse((await next()).body).data.symbol).toBe('ALPHA')
    expect(await isEnded()).toBe(true)
  })

  it('is not for a caller who expects what nobody knows of, and is answered as if he did not', async () => {
    const { line, next } = await open()
    line.write(ask(`/prices/${alpha}`, 'Expect: nonsense\r\n'))
    const { status, head } = await next()
    expect([status, /\r\nx-request-id: /i.test(head)]).toEqual([200, true])
  })

  it('is not for requests with a body, and none of it is taken for a request', async () => {
    for (const body of [
      `Content-Length: ${price.length}\r\n\r\n${price}`,
      `Transfer-Encoding: chunked\r\n\r\n${toChunk(price)}`,
    ]) {
      const { line, next, left } = await open()
      line.write(ask(`/prices/${alpha}`, body).slice(0, -2) + ask(`/prices/${usdc}`))
      const answers = [await next(), await next()]
      expect(answers.map((answer) => JSON.parse(answer.body).data.symbol)).toEqual(['ALPHA', 'USDC'])
      expect(left()).toBe(0)
    }
  })

  it('may be asked for in pieces', async () => {
    const { line, next } = await open()
    line.setNoDelay()
    for (const at of [0, 9, 30, 50, price.length - 1]) {
      line.write(price.slice(0, at))
      line.write(price.slice(at))
      expect((await next()).status).toBe(200)
    }
  })

  it('to somebody who has gone harms nobody', async () => {
    for (let time = 0; time < 50; time += 1) {
      const { line } = await open()
      line.write(price.repeat(20))
      if (time % 2 === 0) line.destroy()
      else line.resetAndDestroy()
    }
    const { line, next } = await open()
    line.write(price)
    expect((await next()).status).toBe(200)
    line.destroy()
    const connections = () => new Promise((done) => api.app.server.getConnections((_, count) => done(count)))
    await expect.poll(connections).toBe(0)
  })

  it('is there for somebody who reads late, each in its order', async () => {
    api.put(longSnapshot())
    const list = ask('/prices')
    const { line, next } = await open()
    line.pause()
    line.write(list.repeat(120))
    await expect.poll(() => gate.spentBy('key:good')).toBe(120)
    line.resume()
    for (let place = 0; place < 120; place += 1) expect(remainingOf(await next())).toBe(99_999 - place)
  })
})

/** A list of some 35 KB. */
function longSnapshot() {
  const { markets } = alphaSnapshot()
  const entry = { ...listed[0], address: alpha } as TokenListEntry
  return toSnapshot([...markets, ...Array.from({ length: 100 }, (_, place) => toMarket(entry, place, { usd: 25 }))])
}

function toChunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
}
