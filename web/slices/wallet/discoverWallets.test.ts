import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { discoverWallets, waitForWallets } from './discoverWallets.ts'

const icon = 'data:image/svg+xml,%3Csvg/%3E'
const provider = () => ({ request: () => Promise.resolve(null) })

/** A window in which wallets answer when they are asked, each with its own detail. */
function openPage(details: readonly unknown[], ethereum?: unknown) {
  const page = Object.assign(new EventTarget(), { ethereum })
  const announce = (detail: unknown) => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  page.addEventListener('eip6963:requestProvider', () => {
    for (const detail of details) announce(detail)
  })
  return { page, announce }
}

const shownOf = (page: Parameters<typeof discoverWallets>[0]) =>
  discoverWallets(page)
    .list()
    .map(({ id, name }) => [id, name])

describe('the wallets of a page', () => {
  it('are those that announce themselves, each once', () => {
    const fox = { info: { uuid: '1', name: 'Fox', rdns: 'io.fox', icon }, provider: provider() }
    const owl = { info: { uuid: '2', name: 'Owl', rdns: 'io.owl', icon }, provider: provider() }
    expect(shownOf(openPage([fox, owl, fox]).page)).toEqual([
      ['io.fox', 'Fox'],
      ['io.owl', 'Owl'],
    ])
  })

  it('of the same maker stay apart', () => {
    const info = { uuid: '1', name: 'Fox', rdns: 'io.fox', icon }
    expect(
      shownOf(
        openPage([
          { info, provider: provider() },
          { info, provider: provider() },
        ]).page,
      ),
    ).toEqual([
      ['io.fox', 'Fox'],
      ['io.fox 2', 'Fox'],
    ])
  })

  it('may be the one old object of the window, unless it has announced itself', () => {
    const old = provider()
    expect(shownOf(openPage([], old).page)).toEqual([['legacy', 'Browser wallet']])
    const fox = { info: { uuid: '1', name: 'Fox', rdns: 'io.fox', icon }, provider: old }
    expect(shownOf(openPage([fox], old).page)).toEqual([['io.fox', 'Fox']])
    expect(shownOf(openPage([fox], provider()).page)).toEqual([
      ['io.fox', 'Fox'],
      ['legacy', 'Browser wallet'],
    ])
    expect(shownOf(openPage([], 'no wallet').page)).toEqual([])
  })

  it('may be proxies that answer nothing but get, of an object or of a function', () => {
    const { request } = provider()
    const get = (_: object, key: PropertyKey) => (key === 'request' ? request : undefined)
    const proxies = [new Proxy({}, { get }), new Proxy(() => undefined, { get })]
    for (const proxy of proxies) {
      expect(shownOf(openPage([], proxy).page)).toEqual([['legacy', 'Browser wallet']])
      expect(shownOf(openPage([{ info: { name: 'Fox', rdns: 'io.fox' }, provider: proxy }]).page)).toEqual([['io.fox', 'Fox']])
    }
  })

  it('are not hidden by one that throws when it is read', () => {
    const get = () => {
      throw new Error('Not yet')
    }
    const broken = new Proxy({}, { get })
    const fox = { info: { name: 'Fox', rdns: 'io.fox' }, provider: provider() }
    const owl = { info: { name: 'Owl', rdns: 'io.owl' }, provider: broken }
    expect(shownOf(openPage([owl, fox], broken).page)).toEqual([['io.fox', 'Fox']])
  })

  it('are no more than sixteen', () => {
    const many = Array.from({ length: 40 }, (_, n) => ({
      info: { uuid: `${n}`, name: `Wallet ${n}`, rdns: `io.w${n}`, icon },
      provider: provider(),
    }))
    expect(shownOf(openPage(many).page)).toHaveLength(16)
  })
})

describe('an announcement', () => {
  it.each([undefined, null, 'wallet', {}, { info: { name: 'No provider', rdns: 'x' } }, { info: 7, provider: {} }])(
    'that is none is passed over: %j',
    (detail) => expect(shownOf(openPage([detail]).page)).toEqual([]),
  )

  it('has its words made harmless', () => {
    const name = `\u202Eevil\n${'x'.repeat(10_000)}`
    const [wallet] = discoverWallets(openPage([{ info: { name, rdns: 'r'.repeat(999) }, provider: provider() }]).page).list()
    expect(wallet?.name).toBe(`evil ${'x'.repeat(26)}…`)
    expect(wallet?.id).toHaveLength(128)
  })

  it.each([
    [icon, icon],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
    ['https://tracker.example/pixel.png', undefined],
    ['data:text/html,<script>alert(1)</script>', undefined],
    ['javascript:alert(1)', undefined],
    [`data:image/png;base64,${'A'.repeat(200_000)}`, undefined],
  ])('has a picture only when it brings it along: %.40s', (given, shown) => {
    const detail = { info: { name: 'Fox', rdns: 'io.fox', icon: given }, provider: provider() }
    expect(discoverWallets(openPage([detail]).page).list()[0]?.icon).toBe(shown)
  })
})

describe('waiting for wallets', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const some = (wallets: readonly unknown[]) => wallets.length > 0

  it('ends with the first that comes', async () => {
    const { page, announce } = openPage([])
    const waiting = waitForWallets(discoverWallets(page), some, 400)
    announce({ info: { name: 'Late', rdns: 'io.late' }, provider: provider() })
    expect((await waiting).map(({ name }) => name)).toEqual(['Late'])
  })

  it('ends with the old object, when that is put into the window late', async () => {
    const { page } = openPage([])
    const waiting = waitForWallets(discoverWallets(page), some, 400)
    page.ethereum = provider()
    page.dispatchEvent(new Event('ethereum#initialized'))
    expect((await waiting).map(({ name }) => name)).toEqual(['Browser wallet'])
  })

  it('ends without any when patience does', async () => {
    const waiting = waitForWallets(discoverWallets(openPage([]).page), some, 400)
    await vi.advanceTimersByTimeAsync(400)
    expect(await waiting).toEqual([])
  })
})
