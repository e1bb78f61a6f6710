import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { alpha, beta, listed } from '../../testing/market.ts'
import { nowSeconds, toMarket } from '../../testing/priceApi.ts'
import { openPictures } from './openPictures.ts'
import type { ShareLimits } from './shareLimits.ts'
import type { ShareOrder } from './shareThread.ts'

type Asked = { readonly order: ShareOrder; readonly done: (text: string) => void; readonly fail: () => void }

/** A thread that draws when the test says so; 22:13 UTC begins 20 s before the clock. */
function stage(limits: Partial<ShareLimits> = {}) {
  const state = { nowSeconds, nowMs: 0, usd: 1, allowed: true, busy: false }
  const asked: Asked[] = []
  const told: string[] = []
  const pictures = openPictures({
    site: { siteName: 'Testboard', chainName: 'Test', domain: 'board.example', accent: '#ff8a4c' },
    logos: { dir: '/logos-of-test', prefix: '/logos/test/' },
    thread: {
      draw: (order) =>
        new Promise((done, reject) =>
          asked.push({
            order,
            done: (text) => done(Buffer.from(text)),
            fail: () => reject(new Failure('not-ready', 'A picture was not drawn: RuntimeError')),
          }),
        ),
      isRunning: () => false,
      close: async () => undefined,
    },
    readSparkline: async () => {
      if (state.busy) throw new Failure('busy', 'Too many charts', { retryable: true, detail: { retryAfterSeconds: 1 } })
      return { value: [] }
    },
    spend: () => ({ ok: state.allowed, of: 'address', limit: 60, windowSeconds: 60, remaining: 0, resetSeconds: 33 }),
    nowSeconds: () => state.nowSeconds,
    nowMs: () => state.nowMs,
    onOutcome: (outcome) => told.push(outcome),
    log: { error: (_, text) => told.push(text), info: (text) => told.push(text) },
    limits: { waitMsMax: 200, ...limits },
  })
  const toListed = (address: string, logo: string) => {
    const entry = listed.find((token) => token.address === address)
    if (!entry) throw new TypeError(address)
    return toMarket({ ...entry, logo }, 1, { usd: state.usd })
  }
  const find = (address: string = alpha, logo = '') => pictures.find(toListed(address, logo), '192.0.2.1')
  const drawn = async (text: string) => {
    const wanted = find()
    await tick()
    asked.at(-1)?.done(text)
    return wanted
  }
  return { state, asked, told, find, drawn }
}

/** Lets what has been decided happen. */
const tick = () => new Promise((resolve) => setImmediate(resolve))
const textOf = ({ png }: { readonly png: Buffer }) => png.toString()

describe('a picture', () => {
  it('is drawn once for all who ask within a minute, whatever the price does', async () => {
    const { state, asked, find, told } = stage()
    const all = Promise.all([find(), find(), find()])
    await tick()
    expect(asked).toHaveLength(1)
    asked[0]?.done('one')
    expect((await all).map(textOf)).toEqual(['one', 'one', 'one'])
    state.usd = 2
    state.nowSeconds += 39
    expect(textOf(await find())).toBe('one')
    expect([asked.length, told]).toEqual([1, ['drawn']])
  })

  it('is drawn again in another minute, unless it would show the same', async () => {
    const { state, asked, drawn, find, told } = stage()
    await drawn('one')
    state.nowSeconds += 60
    expect(await find()).toMatchObject({ isCurrent: true, tag: (await find()).tag })
    expect([asked.length, told]).toEqual([1, ['drawn', 'same']])
    state.nowSeconds += 60
    state.usd = 2
    expect(textOf(await drawn('two'))).toBe('two')
  })

  it('is of its own token', async () => {
    const { asked, drawn, find } = stage()
    await drawn('alpha')
    const other = find(beta)
    await tick()
    expect(asked.at(-1)?.order.facts.symbol).toBe('BETA')
    asked.at(-1)?.done('beta')
    expect(textOf(await other)).toBe('beta')
  })
})

describe('a storm', () => {
  it('gets 503 with a time to try again, when nothing is kept', async () => {
    const { state, find, told } = stage({ perSecondMax: 1 })
    const first = find().catch((error: unknown) => error)
    await expect(find(beta)).rejects.toMatchObject({ code: 'busy', detail: { retryAfterSeconds: 1 } })
    expect(told).toEqual(['refused'])
    state.nowMs += 1_000
    const second = find(beta)
    await expect(second).rejects.toMatchObject({ message: 'The picture is being drawn. Try again' })
    expect(await first).toMatchObject({ detail: { retryAfterSeconds: 2 } })
  })

  it('fills no queue: so many pictures wait, and no more', async () => {
    const { find } = stage({ underWayMax: 1, perSecondMax: 99 })
    void find().catch(() => undefined)
    await expect(find(beta)).rejects.toMatchObject({ message: 'Too many pictures are being drawn. Try again' })
  })

  it('of one client leaves others their part', async () => {
    const { state, find } = stage()
    state.allowed = false
    await expect(find()).rejects.toMatchObject({ code: 'busy', detail: { retryAfterSeconds: 33 } })
  })

  it('gets the last picture, which says what time it is of, for an hour', async () => {
    const { state, find, drawn } = stage()
    await drawn('old')
    state.allowed = false
    state.usd = 2
    state.nowSeconds += 3_540
    expect(await find()).toMatchObject({ isCurrent: false })
    state.nowSeconds += 120
    await expect(find()).rejects.toMatchObject({ code: 'busy' })
  })

  it('does not take more memory than pictures may have', async () => {
    const { state, asked, drawn, find } = stage({ picturesMax: 1 })
    await drawn('alpha')
    const other = find(beta)
    await tick()
    asked.at(-1)?.done('beta')
    await other
    state.allowed = false
    await expect(find()).rejects.toMatchObject({ code: 'busy' })
    expect(textOf(await find(beta))).toBe('beta')
  })
})

describe('a thread that ends', () => {
  it('answers 503, and is not asked again for the same token at once', async () => {
    const { state, asked, find, told } = stage()
    const wanted = find()
    await tick()
    asked[0]?.fail()
    await expect(wanted).rejects.toMatchObject({ code: 'not-ready', detail: { retryAfterSeconds: 5 } })
    await expect(find()).rejects.toMatchObject({ code: 'busy' })
    expect(told).toEqual(['A picture of a token was not drawn', 'failed', 'refused'])
    state.nowMs += 1_001
    const again = find()
    await tick()
    asked[1]?.done('one')
    expect(textOf(await again)).toBe('one')
    expect(told.slice(3)).toEqual(['Pictures of tokens are drawn again', 'drawn'])
  })

  it('by a logo costs that logo its place for an hour, and nobody a picture', async () => {
    const { state, asked, find, told } = stage()
    const logo = '/logos/test/bomb.svg'
    const wanted = find(alpha, logo)
    await tick()
    expect(asked[0]?.order.logoFile).toBe('/logos-of-test/bomb.svg')
    asked[0]?.fail()
    await tick()
    expect(asked[1]?.order.logoFile).toBeUndefined()
    asked[1]?.done('bare')
    expect(textOf(await wanted)).toBe('bare')
    expect(told).toEqual(['A logo cannot be drawn, and is left out of pictures for an hour', 'drawn'])
    state.nowSeconds += 60
    expect(textOf(await find(alpha, logo))).toBe('bare')
    expect(asked).toHaveLength(2)
  })

  it('without anything to do with the logo leaves the logo its place', async () => {
    const { state, asked, find } = stage()
    const logo = '/logos/test/good.svg'
    const wanted = find(alpha, logo)
    await tick()
    asked[0]?.fail()
    await tick()
    asked[1]?.fail()
    await expect(wanted).rejects.toMatchObject({ code: 'not-ready' })
    state.nowMs += 1_001
    void find(alpha, logo).catch(() => undefined)
    await tick()
    expect(asked[2]?.order.logoFile).toBe('/logos-of-test/good.svg')
  })

  it('is not to blame when charts cannot be read now', async () => {
    const { state, asked, find } = stage()
    state.busy = true
    await expect(find()).rejects.toMatchObject({ message: 'Too many charts', detail: { retryAfterSeconds: 1 } })
    state.busy = false
    const again = find()
    await tick()
    asked[0]?.done('one')
    expect(textOf(await again)).toBe('one')
  })
})

describe('a logo', () => {
  it.each([
    'https://logo.example/a.png',
    'http://169.254.169.254/latest/meta-data',
    '//logo.example/a.png',
    '/logos/test/../../etc/passwd',
    '/logos/test/%2e%2e/%2e%2e/etc/passwd',
    '/logos/test/%2e%2e%2fa',
    '/logos/test/%E0%A4%A',
    '/logos/test/a%00.svg',
    '/logos/other/a.svg',
    '/logos/test/',
    'file:///etc/passwd',
    '',
  ])('that is not a file of the operator is not read: %j', async (logo) => {
    const { asked, find } = stage()
    void find(alpha, logo).catch(() => undefined)
    await tick()
    expect(asked[0]?.order.logoFile).toBeUndefined()
  })
})
