import type { WireConfig, WireToken } from '@chainboard/contract'
import type { Page } from '@playwright/test'

// What somebody can write into a token list, a contract or a network file to harm whoever looks at it.

const script = '<script>alert(1)</script>'
const scriptUrl = 'javascript:alert(1)'
const rightToLeft = '\u202E'
const zeroWidth = '\u200B\u200C\u200D\u2060\uFEFF'

type Attack = { readonly what: string; readonly token: Partial<WireToken> }

/** In the order of the table: the first token of the list gets the first one. */
export const attacks: readonly Attack[] = [
  {
    what: 'markup, and links that run',
    token: {
      name: script,
      symbol: '<img src=x onerror=alert(1)>',
      category: '"><svg onload=alert(1)>',
      logo: scriptUrl,
      website: scriptUrl,
      X: ' JaVaScRiPt:alert(1)',
      telegram: 'java\nscript:alert(1)',
      cmcUrl: 'data:text/html,<script>alert(1)</script>',
      coingeckoUrl: 'vbscript:alert(1)',
      lockTimer: '2031-03-01T00:00:00Z',
      lockUrl: scriptUrl,
    },
  },
  {
    what: 'an order of letters turned round',
    token: { name: `${rightToLeft}gnp.exe`, symbol: `${rightToLeft}DSU\u2067X`, category: `${rightToLeft}ytefas` },
  },
  { what: 'nothing to see', token: { name: zeroWidth, symbol: '\u200B', category: zeroWidth, logo: '' } },
  {
    what: '10 KB of a name without a space',
    token: { name: 'Long'.repeat(2_560), symbol: 'S'.repeat(200), category: 'C'.repeat(200) },
  },
  { what: '10 KB of words', token: { name: 'very '.repeat(2_048), symbol: 'two words '.repeat(20) } },
  { what: 'a logo that is not there', token: { name: 'Missing Logo', symbol: 'MISS', logo: '/logos/devnet/not-there.svg' } },
  {
    what: 'a logo in its own address',
    token: {
      name: 'Data Logo',
      symbol: 'DATA',
      logo: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`,
    },
  },
  { what: 'a logo in the clear', token: { name: 'Plain Logo', symbol: 'PLAIN', logo: 'http://tracker.example/pixel.png' } },
  { what: 'flags and faces', token: { name: '🇩🇪🇫🇷 👩‍👩‍👧‍👦 Token', symbol: '🇺🇳🚀' } },
  {
    what: 'letters that climb, and figures of no size',
    token: {
      name: `Z${'\u0301\u0327\u0336'.repeat(60)}algo`,
      symbol: `Z${'\u0300'.repeat(80)}`,
      priceStatus: 'priced',
      priceInUsd: 1.5e30,
      pairPrice: 7e25,
      pairSymbol: `${rightToLeft}${'P'.repeat(300)}`,
      priceChange24h: 4.2e14,
      priceChange7d: -99.999,
      volume24h: 3e300,
      fdmc: 8e299,
      marketCap: 8e299,
      priceReasons: [`${script}${'reason'.repeat(500)}`],
      warnings: [{ code: 'lookalike', text: `${script}${rightToLeft}${'warning'.repeat(500)}` }],
      priceInfo: {
        usdPrice: 1,
        poolAddress: '"><script>alert(1)</script>',
        baseToken: { symbol: `${rightToLeft}${'B'.repeat(300)}` },
        feeTier: 999_999,
      },
    },
  },
]

/**
 * Answers with the server's tokens, harmed in the order in which the table has them.
 * @returns their addresses, in the order of the attacks
 */
export async function serveHostileLists(page: Page): Promise<string[]> {
  const listed = (await (
    await page.request.get(`/assets.json?sort=fdmcDesc&page=1&pageSize=${attacks.length}`)
  ).json()) as WireToken[]
  const harmed = new Map(listed.map(({ address }, place) => [address, attacks[place]?.token]))
  await page.route(/\/(assets|highlighted)\.json|\/api\/trending/, async (route) => {
    const response = await route.fetch()
    const tokens = (await response.json()) as WireToken[]
    await route.fulfill({ response, json: tokens.map((token) => ({ ...token, ...harmed.get(token.address) })) })
  })
  return [...harmed.keys()]
}

/** A network file by somebody who has no good intentions, or no care. */
export async function serveHostileConfig(page: Page): Promise<void> {
  await page.route(/\/api\/config/, async (route) => {
    const response = await route.fetch()
    const config = (await response.json()) as WireConfig
    await route.fulfill({
      response,
      json: {
        ...config,
        siteName: `${script}${rightToLeft}${'Site'.repeat(100)}`,
        chain: { ...config.chain, name: `${rightToLeft}${'Chain'.repeat(200)}` },
        links: [
          { label: `${rightToLeft}${'Label'.repeat(200)}`, url: 'https://links.example/' },
          { label: 'Runs', url: scriptUrl },
          { label: 'Nowhere', url: '//' },
        ],
        dex: { ...config.dex, name: `${script}${'Dex'.repeat(100)}`, swapUrl: 'https://dex.example/{address}' },
        explorer: { txUrl: 'javascript:alert("{hash}")', addressUrl: 'javascript:alert("{address}")' },
      },
    })
  })
}
