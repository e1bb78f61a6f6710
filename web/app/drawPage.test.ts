import type { WireConfig, WireFeed, WirePool, WireStatus } from '@chainboard/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testToken } from '../token/testToken.ts'
import { drawPage } from './drawPage.tsx'

const config: WireConfig = {
  siteName: 'Ember Board',
  domain: 'board.example',
  chain: {
    id: 1,
    name: '<img src=x onerror=alert(1)>',
    nativeCurrency: { name: 'Ember', symbol: 'EMB', decimals: 18 },
    rpcUrl: '/rpc',
  },
  wrappedNative: { address: `0x${'1'.repeat(40)}`, symbol: 'WEMB' },
  usdc: { address: `0x${'2'.repeat(40)}`, decimals: 6 },
  prices: null,
  boost: { contract: `0x${'3'.repeat(40)}` },
  links: [{ label: '</script>', url: 'javascript:alert(1)' }],
  contact: { email: null, chatUrl: null },
  explorer: null,
  dex: { name: 'EmberSwap', swapUrl: null, poolUrl: null },
  brand: { accentDark: '#ff8a4c', accentLight: '#b8430a', logo: null },
  demoWallets: [],
  walletConnect: null,
}
const status: WireStatus = {
  ...{ block: 100, blockTime: 1_700_000_000, secondsSinceContact: 1, lagBlocks: 0, state: 'live', reason: null },
  ...{ completeSince: null, swapsKeptSince: null, hoursKeptSince: null, progress: null },
}
const hostile = {
  ...testToken,
  name: '"><script>alert(1)</script>',
  symbol: "</script>'\u202e\u2028",
  logo: 'javascript:alert(1)',
}

/** Answers by the beginning of the path. A status stands for a failure. */
const answers = new Map<string, unknown>()
/** What was asked for, without what keeps it out of caches; and what of it after something had been drawn. */
let [asked, late]: [string[], string[]] = [[], []]
beforeAll(() => {
  vi.stubGlobal('location', undefined)
  vi.stubGlobal('fetch', async (url: string) => {
    const path = url.replace(/[?&]_=.*$/, '')
    asked.push(path)
    // A page that is drawn has a place.
    if (globalThis.location !== undefined) late.push(path)
    const found = [...answers].find(([path]) => url.startsWith(path))?.[1]
    return typeof found === 'number' ? new Response('{}', { status: found }) : Response.json(found ?? [])
  })
})
afterAll(() => vi.unstubAllGlobals())

const serve = (others: Readonly<Record<string, unknown>> = {}) => {
  answers.clear()
  Object.assign(globalThis, { location: undefined })
  asked = []
  late = []
  const all = { ...others, '/api/config': config, '/api/status': status, '/api/stats/users': { totalUsers: 7 } }
  for (const [path, answer] of Object.entries({ ...all, '/assets.json': [hostile], '/api/trending': [hostile] }))
    answers.set(path, others[path] ?? answer)
}
const draw = (path: string) => drawPage(new URL(path, 'https://board.example'))

test('names of tokens and of the chain stay text, and no element has a style of its own', async () => {
  serve()
  const page = await draw('/')
  expect(page?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page?.html).not.toMatch(/<script|<img|javascript:|\sstyle=|\u202e/)
  expect(page?.css).toContain(':root{--accent:light-dark(#b8430a, #ff8a4c)')
  expect(page?.html).toContain('7 registered users')
})

test('pictures of the site are where the visitor is, whatever name that has', async () => {
  serve({ '/assets.json': [{ ...testToken, logo: '/logos/x/bslt.svg' }] })
  expect((await draw('/'))?.html).toContain('src="/logos/x/bslt.svg"')
})

test('what the page goes on with is what it was drawn from', async () => {
  serve()
  const { atSeconds, answers: kept } = JSON.parse((await draw('/?sort=nameAsc'))?.state ?? '')
  expect(Math.abs(atSeconds - Date.now() / 1000)).toBeLessThan(60)
  const pages = kept.filter(([key]: [unknown[]]) => key[1] === 'page')
  expect(pages).toEqual([[['tokens', 'page', expect.objectContaining({ sort: 'nameAsc', page: 1 })], expect.anything()]])
})

test('a part whose answer fails waits for the browser, a page without its tokens is not drawn', async () => {
  serve({ '/api/trending': 503 })
  const page = await draw('/')
  expect(page?.html).toContain('All Tokens')
  expect(page?.state).not.toContain('trending')
  serve({ '/assets.json': 503 })
  await expect(draw('/')).rejects.toThrow('status 503')
})

test('a page that the site does not have is none', async () => {
  serve({ '/api/pools/': 404 })
  expect(await draw(`/pool/0x${'4'.repeat(40)}`)).toBeUndefined()
})

const everywhere = ['/api/config', '/api/status', '/api/stats/users']
const address = `0x${'aB'.repeat(20)}`
const lower = address.toLowerCase()
const feed: WireFeed = { swaps: [], next: null, searchedUntil: null, since: null }
const side = { address, symbol: 'AB', name: 'Ab', listed: true, usdPrice: null, amount: null }
const pool: WirePool = {
  ...{ address: `0x${'5'.repeat(40)}`, fee: 3_000, token0: side, token1: { ...side, address: `0x${'6'.repeat(40)}` } },
  ...{ price: null, liquidityUsd: null, depth: null, volume24h: null, firstSwapAt: null, lastSwapAt: null },
}

test('a page is drawn once, from what it shows and nothing else', async () => {
  const token = { ...testToken, address }
  const paidFirst = { ...pool, address: `0x${'7'.repeat(40)}`, token0: { ...side, address: config.usdc.address }, token1: side }
  const served = {
    '/assets.json': [token],
    '/api/swaps': feed,
    [`/api/pools/${pool.address}`]: pool,
    [`/api/pools/${paidFirst.address}`]: paidFirst,
    [`/api/tokens/${address}/windows`]: { windows: [], traders: null },
  }
  const ofToken = [
    `/assets.json?addresses=${lower}`,
    `/api/tokens/${address}/windows`,
    `/api/pools?token=${address}&page=1&pageSize=50`,
    `/api/tokens/sparklines?addresses=${address}`,
  ]
  const pages = {
    [`/token/${lower}`]: [...ofToken, `/api/swaps?token=${address}&limit=50`],
    [`/token/${lower}?side=buy&over=5`]: [...ofToken, `/api/swaps?token=${address}&side=buy&minUsd=5&limit=50`],
    [`/token/${lower}?tab=pools`]: ofToken,
    [`/pool/${pool.address}`]: [`/api/pools/${pool.address}`, `/api/swaps?token=${address}&pool=${pool.address}&limit=50`],
    [`/pool/${paidFirst.address}`]: [
      `/api/pools/${paidFirst.address}`,
      `/api/swaps?token=${address}&pool=${paidFirst.address}&limit=50`,
    ],
    '/pools': ['/api/pools?sort=liquidity&page=1&pageSize=25'],
    '/pools?q=+ab+&sort=new&page=3': ['/api/pools?sort=new&page=3&pageSize=25&search=ab'],
    '/pools?sort=odd&page=-1': ['/api/pools?sort=liquidity&page=1&pageSize=25'],
    '/swaps?wallet=nobody': ['/api/swaps?limit=50'],
    [`/wallet/${lower}`]: [`/api/swaps?wallet=${lower}&limit=50`],
  }
  for (const [path, wanted] of Object.entries(pages)) {
    serve(served)
    const page = await draw(path)
    expect(asked.toSorted(), path).toEqual([...everywhere, ...wanted].toSorted())
    expect(late, path).toEqual([])
    expect(page?.state, path).not.toMatch(/highlighted|trending|boosted"/)
  }
})
