import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeKeyGate } from '../../../testing/fakeKeyGate.ts'
import { alpha, beta, listed } from '../../../testing/market.ts'
import {
  alphaSnapshot,
  nowSeconds,
  type PriceApiWorld,
  servePriceApi,
  toBlock,
  toMarket,
  toSnapshot,
} from '../../../testing/priceApi.ts'
import { keepPriceCache } from '../priceCache.ts'
import { createPriceStream } from './priceStream.ts'
import type { Sink } from './readers.ts'

let gate: ReturnType<typeof createFakeKeyGate>
let api: PriceApiWorld
const lines = new Set<AbortController>()
beforeEach(async () => {
  gate = createFakeKeyGate({ good: { limit: 1_000 }, paused: { limit: 1, refusal: 'KEY_INACTIVE' } })
  api = await servePriceApi(gate)
})
afterEach(async () => {
  for (const line of lines) line.abort()
  lines.clear()
  await api.app.close()
})

type Word = { readonly event: string; readonly id: string | undefined; readonly data: Record<string, unknown> }

async function listen(query = '', headers: Record<string, string> = {}) {
  const line = new AbortController()
  lines.add(line)
  const answer = await fetch(`${api.url}/api/v1/stream${query}`, { headers, signal: line.signal })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    answer,
    hangUp: () => line.abort(),
    /** The next event; undefined when the stream has ended. */
    next: async (): Promise<Word | undefined> => {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const fields = Object.fromEntries(
            text
              .slice(0, end)
              .split('\n')
              .map((each) => each.split(/: (.*)/).slice(0, 2)),
          )
          text = text.slice(end + 2)
          if (fields.event) return { event: fields.event, id: fields.id, data: JSON.parse(fields.data) }
          continue
        }
        const part = await reader?.read()
        if (!part || part.done) return undefined
        text += part.value
      }
    },
  }
}

const countLines = () =>
  new Promise<number>((resolve, reject) =>
    api.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

const put = (usd: number, block = 78) => api.put(alphaSnapshot({ usd, block }, toBlock(block)))

describe('the stream of prices', () => {
  it('keeps no place for those who hang up before they are let in', async () => {
    const letIn = Promise.withResolvers<void>()
    let asked = 0
    gate.answerLate('', () => {
      asked += 1
      return letIn.promise
    })
    const { hostname, port, host } = new URL(api.url)
    // As many as one client may have.
    const sockets = Array.from({ length: 10 }, () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.write(`GET /api/v1/stream HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      return socket
    })
    await expect.poll(() => asked).toBe(10)
    for (const socket of sockets) socket.destroy()
    await expect.poll(countLines).toBe(0)
    letIn.resolve()
    const streams = await Promise.all(Array.from({ length: 10 }, () => listen()))
    expect(streams.map(({ answer }) => answer.status)).toEqual(Array(10).fill(200))
  })

  it('begins with where it is, then tells changes', async () => {
    const stream = await listen('', { 'x-api-key': 'good' })
    expect(Object.fromEntries(stream.answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      ratelimit: '"day";r=999;t=3600',
    })
    expect(await stream.next()).toMatchObject({ event: 'ready', data: { resumed: false, block: 77 } })
    put(26)
    expect(await stream.next()).toMatchObject({ event: 'price', data: { symbol: 'ALPHA', usdPrice: 26, block: 78 } })
    put(27)
    expect(await stream.next()).toMatchObject({ event: 'price', data: { usdPrice: 27 } })
  })

  it('tells of chosen tokens only', async () => {
    const ofBeta = await listen(`?addresses=${beta}`)
    const ofBoth = await listen(`?addresses=${beta},0x${alpha.slice(2).toUpperCase()}&_=1`)
    expect([(await ofBeta.next())?.event, (await ofBoth.next())?.event]).toEqual(['ready', 'ready'])
    put(26)
    expect(await ofBoth.next()).toMatchObject({ event: 'price', data: { symbol: 'ALPHA' } })
    // The end of the stream is the next thing that the other one hears.
    await api.app.close()
    expect(await ofBeta.next()).toBeUndefined()
  })

  it('continues where a reader was, without a gap', async () => {
    const first = await listen()
    await first.next()
    put(26)
    const heard = await first.next()
    first.hangUp()
    put(27)
    put(28)
    const second = await listen('', { 'last-event-id': heard?.id ?? '' })
    expect(await second.next()).toMatchObject({ event: 'ready', id: heard?.id, data: { resumed: true } })
    expect([(await second.next())?.data['usdPrice'], (await second.next())?.data['usdPrice']]).toEqual([27, 28])
    const lost = await listen('', { 'last-event-id': '00000000-1' })
    expect(await lost.next()).toMatchObject({ event: 'ready', data: { resumed: false } })
  })

  it('takes back what the chain took back', async () => {
    const stream = await listen(`?addresses=${alpha}`)
    await stream.next()
    api.move({ cursor: toBlock(78), rolledBack: false })
    put(26)
    await stream.next()
    api.move({ cursor: toBlock(77), rolledBack: true })
    expect(await stream.next()).toMatchObject({ event: 'retracted', data: { block: 77, addresses: [alpha] } })
    put(25, 77)
    expect(await stream.next()).toMatchObject({ event: 'price', data: { usdPrice: 25, block: 77 } })
  })

  it('takes back the tokens it tells of and no others, as their prices spell them, also from who comes back', async () => {
    const [first, second] = [`0xAb${'0'.repeat(38)}`, `0xCd${'0'.repeat(38)}`]
    const [entry] = listed
    if (!entry) throw new Error('no token')
    const putBoth = (usd: number, block: number) => {
      const markets = [first, second].map((address, place) => toMarket({ ...entry, address }, place, { usd, block }))
      api.put(toSnapshot(markets, toBlock(block)))
    }
    putBoth(25, 77)
    const [all, one] = [await listen(), await listen(`?addresses=${first.toLowerCase()}`)]
    const ready = await one.next()
    await all.next()
    api.move({ cursor: toBlock(78), rolledBack: false })
    putBoth(26, 78)
    expect([(await all.next())?.data['address'], (await all.next())?.data['address']]).toEqual([first, second])
    expect((await one.next())?.data['address']).toBe(first)
    api.move({ cursor: toBlock(77), rolledBack: true })
    expect(await all.next()).toMatchObject({ event: 'retracted', data: { block: 77, addresses: [first, second] } })
    expect(await one.next()).toMatchObject({ event: 'retracted', data: { block: 77, addresses: [first] } })
    const later = await listen(`?addresses=${second}`, { 'last-event-id': ready?.id ?? '' })
    expect([(await later.next())?.event, (await later.next())?.event]).toEqual(['ready', 'price'])
    expect(await later.next()).toMatchObject({ event: 'retracted', data: { block: 77, addresses: [second] } })
  })

  it('ends at once when its key may no longer be used', async () => {
    const stream = await listen('', { 'x-api-key': 'good' })
    await stream.next()
    gate.end('key:good', 'KEY_INACTIVE')
    expect(await stream.next()).toEqual({
      event: 'ended',
      id: undefined,
      data: { code: 'KEY_INACTIVE', message: 'This API key is paused' },
    })
    expect(await stream.next()).toBeUndefined()
    put(26)
  })

  it('is not opened with a bad key, nor for what is no address, and HEAD opens none', async () => {
    expect((await listen('', { 'x-api-key': 'paused' })).answer.status).toBe(403)
    expect((await listen('?addresses=rubbish')).answer.status).toBe(400)
    const head = await fetch(`${api.url}/api/v1/stream`, { method: 'HEAD' })
    expect(head.status).toBe(405)
  })

  it('opens ten for an address without a key, and another when one has gone', async () => {
    const ten = await Promise.all(Array.from({ length: 10 }, () => listen()))
    expect(ten.map(({ answer }) => answer.status)).toEqual(Array(10).fill(200))
    const more = await fetch(`${api.url}/api/v1/stream`)
    expect([more.status, await more.json()]).toEqual([
      429,
      {
        success: false,
        error: { code: 'RATE_LIMIT_EXCEEDED', message: 'At most 10 streams may be open at once', limit: 10, remaining: 0 },
      },
    ])
    ten[0]?.hangUp()
    await expect.poll(async () => (await listen()).answer.status).toBe(200)
  })

  it('opens 25 for an address with free keys, however many it has, and one more for a neighbour and for a paid key', async () => {
    const free = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { limit: 1_000 }]))
    const world = await servePriceApi(createFakeKeyGate({ ...free, paid: { limit: 1_000, tier: 'basic' } }), { proxies: 1 })
    const ask = async (key: string, client: string) => {
      const line = new AbortController()
      lines.add(line)
      const headers = { 'x-api-key': key, 'x-forwarded-for': client }
      return (await fetch(`${world.url}/api/v1/stream`, { headers, signal: line.signal })).status
    }
    try {
      const streams = await Promise.all(Array.from({ length: 26 }, (_, i) => ask('abc'[i % 3] as string, `2001:db8::${i + 1}`)))
      expect(streams.filter((status) => status === 200)).toHaveLength(25)
      expect(streams.filter((status) => status === 429)).toHaveLength(1)
      expect(await ask('d', '2001:db8::ffff')).toBe(429)
      expect(await ask('d', '2001:db8:0:1::1')).toBe(200)
      expect(await ask('paid', '2001:db8::1')).toBe(200)
    } finally {
      for (const line of lines) line.abort()
      await world.app.close()
    }
  })

  describe('with all places taken', () => {
    const deps = { snapshot: () => alphaSnapshot(), nowSeconds: () => nowSeconds }
    const openAll = (other: Partial<typeof deps> & { nowMs?: () => number } = {}) => {
      const all = { ...deps, ...other }
      const stream = createPriceStream({ ...all, prices: keepPriceCache(all) })
      const open = (id: string, tier: string, client: string, lastEventId?: string) => {
        const said: string[] = []
        const sink: Sink = {
          write: (bytes) => said.push(String(bytes)),
          writableLength: 0,
          end: (word) => said.push(String(word)),
          destroy: () => undefined,
        }
        const who = { principal: { id, tier }, client }
        const room = stream.hasRoom(who)
        if (room !== true) return room.limit
        return { ...stream.open({ ...who, addresses: undefined, lastEventId, sink }), said }
      }
      return { stream, open }
    }

    it('gives two addresses with any number of free keys 1 % of the streams', () => {
      const { stream, open } = openAll()
      const held = Array.from({ length: 5_000 }, (_, i) => open(`free ${i % 55}`, 'free', `192.0.${i % 2}.1`))
      expect(held.filter((each) => typeof each === 'object')).toHaveLength(50)
      expect(held.at(-1)).toBe(25)
      stream.close()
    })

    it('gives the addresses of a /48 and of a /24 as many as four addresses have, in turns', () => {
      const { stream, open } = openAll()
      const six = Array.from({ length: 200 }, (_, i) => open(`six ${i}`, 'free', `2001:db8:1:${i.toString(16)}::/64`))
      expect([stream.readers(), six.filter((each) => typeof each === 'number')]).toEqual([100, []])
      const four = Array.from({ length: 200 }, (_, i) => open(`four ${i}`, 'free', `192.0.2.${i}`))
      expect([stream.readers(), four.filter((each) => typeof each === 'number')]).toEqual([200, []])
      // The second of a neighbour is no newcomer's.
      expect(open('four 199', 'free', '192.0.2.199')).toBe(100)
      stream.close()
    })

    it('gives an address without a stream the place of one that has most, and nothing to those that have some', () => {
      const { stream, open } = openAll()
      const held = Array.from({ length: 4_000 }, (_, i) => open(`free ${i}`, 'free', `10.${Math.floor(i / 25)}.0.1`))
      expect(held.filter((each) => typeof each === 'number')).toEqual([])
      expect(open('stranger', 'shared', '192.0.2.1')).toBeTypeOf('object')
      // Each is told where it is, and one that it ends.
      const ended = held.flatMap((each, i) => (typeof each === 'object' && each.said.length > 1 ? [[i, each.said[1]]] : []))
      const text = 'All streams are in use, and your address had the most: this one was closed to make room for another address'
      expect(ended).toEqual([[24, `event: ended\ndata: {"code":"RATE_LIMIT_EXCEEDED","message":"${text}"}\n\n`]])
      expect(open('stranger', 'shared', '192.0.2.1')).toBe(4_000)
      expect(open('free', 'free', '10.0.0.1')).toBe(4_000)
      expect(stream.readers()).toBe(4_000)
      stream.close()
    })

    it('gives it that of the longest where none has two, who comes back in turn and has missed nothing', () => {
      const words = { snapshot: alphaSnapshot() }
      const clock = { ms: 0 }
      const { stream, open } = openAll({ snapshot: () => words.snapshot, nowMs: () => clock.ms })
      const readers = Array.from({ length: 4_000 }, (_, i) => open(`${i}`, 'shared', `10.${i % 250}.${Math.floor(i / 250)}.1`))
      clock.ms += 50_000
      expect(open('stranger', 'shared', '192.0.2.1')).toBeTypeOf('object')
      const told = readers.map((each) => (typeof each === 'object' ? each.said : []))
      expect(told.flatMap((said, i) => (said.some((word) => word.includes('others wait')) ? [i] : []))).toEqual([0])
      expect(told[0]?.at(-1)).toBe(': all streams are in use, and others wait: reconnect\nretry: 10000\n\n')
      words.snapshot = alphaSnapshot({ usd: 26 }, toBlock(78))
      stream.look()
      const lastEventId = /id: (\S+)/.exec(told[0]?.[0] ?? '')?.[1]
      clock.ms += 10_000
      const again = open('0', 'shared', '10.0.0.1', lastEventId)
      const heard = typeof again === 'object' ? again.said.join('') : ''
      expect(heard).toContain('"resumed":true')
      expect(heard).toContain('"usdPrice":26')
      expect(told[1]?.at(-1)).toBe(': all streams are in use, and others wait: reconnect\nretry: 3000\n\n')
      stream.close()
    })

    it('makes no room for a key that has all of its own', () => {
      const other = openAll()
      for (let i = 0; i < 25; i += 1) other.open('shared key', 'free', `10.0.${i}.1`)
      for (let i = 0; i < 2; i += 1) other.open('own key', 'free', '10.1.0.1')
      expect(other.open('shared key', 'free', '192.0.2.1')).toBe(25)
      other.stream.close()
    })

    it('keeps 1,000 for keys that the operator gave out, and takes each place back', () => {
      const { stream, open } = openAll()
      const readers = Array.from({ length: 4_000 }, (_, i) => open(`free ${i}`, 'free', `10.${i % 250}.${Math.floor(i / 250)}.1`))
      for (let i = 0; i < 1_000; i += 1) expect(open(`paid ${i % 10}`, 'basic', '10.0.0.1')).toBeTypeOf('object')
      expect(open('paid 11', 'basic', '192.0.2.97')).toBe(5_000)
      for (const each of readers) if (typeof each === 'object') each.leave()
      expect(stream.readers()).toBe(1_000)
      expect(open('free 40', 'free', '10.0.0.1')).toBeTypeOf('object')
      stream.close()
    })
  })

  it('lets a reader go who does not read, and keeps the others', async () => {
    const words = { snapshot: alphaSnapshot(), now: nowSeconds }
    const deps = { snapshot: () => words.snapshot, nowSeconds: () => words.now }
    const stream = createPriceStream({ ...deps, prices: keepPriceCache(deps) })
    const open = (id: string, waiting: number) => {
      const heard: string[] = []
      const sink: Sink = {
        write: (bytes) => heard.push(String(bytes)),
        writableLength: waiting,
        end: () => undefined,
        destroy: () => heard.push('cut'),
      }
      stream.open({ principal: { id, tier: 'free' }, client: '192.0.2.1', addresses: undefined, lastEventId: undefined, sink })
      return heard
    }
    const [slow, quick] = [open('slow', 4 * 1024 * 1024 + 1), open('quick', 0)]
    words.snapshot = alphaSnapshot({ usd: 26 }, toBlock(78))
    stream.look()
    expect([slow.at(-1), stream.readers()]).toEqual(['cut', 1])
    expect(quick.at(-1)).toContain('"usdPrice":26')
    stream.close()
    expect(stream.readers()).toBe(0)
  })

  it('does not hold up the end of the server', async () => {
    const stream = await listen()
    await stream.next()
    const silent = connect(Number(new URL(api.url).port), '127.0.0.1')
    silent.on('error', () => undefined)
    await api.app.close()
    expect(await stream.next()).toBeUndefined()
    silent.destroy()
  })
})
