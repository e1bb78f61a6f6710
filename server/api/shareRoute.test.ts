import { Failure } from '@chainboard/core'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alpha, beta, listed } from '../testing/market.ts'
import { toMarket, toSnapshot } from '../testing/priceApi.ts'
import { answerProblems } from './problem.ts'
import type { SharePicture } from './share/openPictures.ts'
import { shareRoute } from './shareRoute.ts'

const picture: SharePicture = { png: Buffer.from('picture'), tag: 'abc', shows: '', minute: 1, isCurrent: true }
const state = { find: async (): Promise<SharePicture> => picture, asked: [] as string[], closed: 0 }
const app = fastify()
const entries = listed.filter(({ address }) => address === alpha)
beforeAll(async () => {
  answerProblems(app)
  const pictures = {
    find: async ({ token }: { token: { symbol: string } }, client: string) => {
      state.asked.push(`${token.symbol} ${client}`)
      return state.find()
    },
    close: async () => {
      state.closed += 1
    },
  }
  const snapshot = toSnapshot(entries.map((entry, place) => toMarket(entry, place, { usd: 1 })))
  await app.register(shareRoute({ snapshot: () => snapshot, pictures }))
})
afterAll(async () => {
  await app.close()
  expect(state.closed).toBe(1)
})
const url = `/token/${alpha}/share.png`

describe('the picture of a token', () => {
  it('is a PNG for any site, which caches keep for a minute', async () => {
    const { statusCode, headers, rawPayload } = await app.inject(url)
    expect([statusCode, rawPayload.toString()]).toEqual([200, 'picture'])
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '7',
      'cache-control': 'public, max-age=60',
      etag: '"abc"',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(state.asked.at(-1)).toBe('ALPHA 127.0.0.1')
  })

  it('is not sent again to who has it, nor with HEAD', async () => {
    for (const tag of ['"abc"', 'W/"abc"', '"other", "abc"']) {
      const again = await app.inject({ url, headers: { 'if-none-match': tag } })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', '"abc"'])
    }
    const head = await app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '7'])
  })

  it('is the same whatever stands behind its address', async () => {
    for (const query of ['?utm_source=x', '?_=1&fbclid=2', '?a[]=1&a=2', `?${'x'.repeat(500)}`])
      expect((await app.inject(url + query)).statusCode).toBe(200)
    expect(
      (await app.inject(url.toUpperCase().replace('0X', '0x').replace('TOKEN', 'token').replace('SHARE.PNG', 'share.png')))
        .statusCode,
    ).toBe(200)
  })

  it('is kept for a moment only when it is an older one', async () => {
    state.find = async () => ({ ...picture, isCurrent: false })
    expect((await app.inject(url)).headers['cache-control']).toBe('public, max-age=5')
    state.find = async () => picture
  })

  it('is none of a token that is not listed, or no more, and of no address', async () => {
    const before = state.asked.length
    expect((await app.inject(`/token/${beta}/share.png`)).statusCode).toBe(404)
    expect((await app.inject('/token/0x12/share.png')).statusCode).toBe(400)
    expect(state.asked).toHaveLength(before)
  })

  it('comes later while too many are asked for, and no cache keeps that', async () => {
    state.find = async () => {
      throw new Failure('busy', 'Too many pictures', { retryable: true, detail: { retryAfterSeconds: 33 } })
    }
    const { statusCode, headers } = await app.inject(url)
    state.find = async () => picture
    expect([statusCode, headers['retry-after'], headers['cache-control']]).toEqual([503, '33', 'no-store'])
    expect(headers['content-type']).toMatch(/json/)
  })
})
