import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type HeadSite, putHead } from './pageHead.ts'

const template = readFileSync(resolve(import.meta.dirname, '../../web/index.html'), 'utf8')

const site: HeadSite = {
  siteName: 'Ember Board',
  chainName: 'Ember',
  origin: 'https://board.example',
  publicOrigin: 'https://board.example',
  logoPath: undefined,
  previewPath: undefined,
}

const tide = {
  name: 'Tidewater',
  symbol: 'TIDE',
  address: '0x00000000000000000000000000000000000000Aa',
  priceStatus: 'priced',
  priceInUsd: 1.5,
  priceChange24h: -2.5,
  fdmc: 12_345_678,
} as const

const home = (changes: Partial<HeadSite> = {}) => putHead(template, { ...site, ...changes }, { kind: 'home' })
const shown = (changes: Partial<Omit<typeof tide, 'priceStatus'>> | object = {}) =>
  putHead(template, site, { kind: 'token', token: { ...tide, ...changes } })

describe('the head of the home page', () => {
  it('names the site and its chain, to people, search engines and previews', () => {
    const html = home()
    expect(html).toContain('<title>Ember Board</title>')
    expect(html).toContain('<meta name="application-name" content="Ember Board" />')
    expect(html).toContain('<meta name="description" content="Live prices, charts and swaps of the tokens on Ember." />')
    expect(html).toContain('<meta property="og:title" content="Ember Board" />')
    expect(html).toContain('<meta property="og:description" content="Live prices, charts and swaps of the tokens on Ember." />')
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image" />')
  })

  it('tells whole addresses of itself and of its picture', () => {
    const html = home()
    expect(html).toContain('<link rel="canonical" href="https://board.example/" />')
    expect(html).toContain('<meta property="og:url" content="https://board.example/" />')
    expect(html).toContain('<meta property="og:image" content="https://board.example/preview.png" />')
    expect(html).toContain('<meta name="twitter:image" content="https://board.example/preview.png" />')
  })

  it('shows the mark of the product until the network has a logo and a preview', () => {
    expect(home()).toContain('<link rel="icon" href="/favicon.svg" type="image/svg+xml" />')
    expect(home()).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png" />')
    const own = home({ logoPath: '/logos/ember/brand.png', previewPath: '/logos/ember/share.jpg' })
    expect(own).toContain('<link rel="icon" href="/logos/ember/brand.png" type="image/png" />')
    expect(own).toContain('<link rel="apple-touch-icon" href="/logos/ember/brand.png" />')
    expect(own).toContain('<meta property="og:image" content="https://board.example/logos/ember/share.jpg" />')
    expect(own).not.toContain('preview.png')
  })

  it('gives phones no drawing, which they cannot show, for a logo', () => {
    const html = home({ logoPath: '/logos/ember/brand.svg' })
    expect(html).toContain('<link rel="icon" href="/logos/ember/brand.svg" type="image/svg+xml" />')
    expect(html).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png" />')
  })

  it('stands once in the page, and leaves the rest of it alone', () => {
    const html = home()
    expect(html.match(/<title>/g)).toHaveLength(1)
    expect(html.match(/rel="icon"/g)).toHaveLength(1)
    expect(html).toContain('<html lang="en">')
    expect(html).toContain('<div id="root"></div>')
    expect(html).not.toContain('<!--')
  })
})

describe('what search engines read', () => {
  const dataOf = (html: string) => /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1]

  it('is the search of the site, and the price of a token', () => {
    expect(JSON.parse(dataOf(home()) ?? '')).toMatchObject({
      '@type': 'WebSite',
      url: 'https://board.example/',
      potentialAction: { target: { urlTemplate: 'https://board.example/?q={search_term_string}' } },
    })
    expect(JSON.parse(dataOf(shown()) ?? '')).toMatchObject({
      '@type': 'ExchangeRateSpecification',
      url: 'https://board.example/token/0x00000000000000000000000000000000000000Aa',
      currency: 'TIDE',
      currentExchangeRate: { price: 1.5, priceCurrency: 'USD' },
    })
    expect(dataOf(shown({ priceStatus: 'unpriced' }))).toBeUndefined()
  })

  it('ends with no name of a token', () => {
    const html = shown({ name: '</script><script>alert(1)</script>', symbol: '<!--' })
    expect(JSON.parse(dataOf(html) ?? '').name).toBe('</script><script>alert(1)</script>')
    expect(html).not.toContain('<script>alert')
  })
})

describe('the head of a page that shows a token', () => {
  it('says its price, its change and its market cap', () => {
    const html = shown()
    const words = 'Price $1.50, 24h change -2.50%, market cap $12.35M. Chart and swaps of Tidewater on Ember.'
    expect(html).toContain('<title>Tidewater (TIDE) price · Ember Board</title>')
    expect(html).toContain(`<meta name="description" content="${words}" />`)
    expect(html).toContain('<meta property="og:title" content="Tidewater (TIDE) price · Ember Board" />')
    expect(html).toContain(`<meta name="twitter:description" content="${words}" />`)
    const picture = 'https://board.example/token/0x00000000000000000000000000000000000000Aa/share.png'
    expect(html).toContain(`<meta property="og:image" content="${picture}" />`)
    expect(html).toContain('<meta property="og:image:width" content="1200" />')
    expect(html).toContain('<meta property="og:image:height" content="630" />')
    expect(html).toContain('<meta property="og:image:alt" content="Price of Tidewater (TIDE) with its last 7 days" />')
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image" />')
    expect(html).toContain(`<meta name="twitter:image" content="${picture}" />`)
  })

  it('has no picture where no network could get it', () => {
    const html = putHead(
      template,
      { ...site, origin: 'http://127.0.0.1:3000', publicOrigin: undefined },
      { kind: 'token', token: tide },
    )
    expect(html).not.toContain(':image')
    expect(html).toContain('<meta name="twitter:card" content="summary" />')
  })

  it('is one page to search engines, whichever of its modals is open', () => {
    const address = 'https://board.example/token/0x00000000000000000000000000000000000000Aa'
    expect(shown()).toContain(`<link rel="canonical" href="${address}" />`)
    expect(shown()).toContain(`<meta property="og:url" content="${address}" />`)
  })

  it('says N/A for what an unpriced token does not have', () => {
    const unpriced = { priceStatus: 'unpriced', priceInUsd: 0, priceChange24h: 0, fdmc: 0 }
    expect(shown(unpriced)).toContain(
      'content="Price N/A, 24h change N/A, market cap N/A. Chart and swaps of Tidewater on Ember."',
    )
    expect(shown({ priceChange24h: null })).toContain('content="Price $1.50, 24h change N/A, market cap $12.35M.')
  })
})

describe('the head of a page with a name', () => {
  it('says what the page is for, and where it is', () => {
    const html = putHead(template, site, { kind: 'named', path: '/login' })
    expect(html).toContain('<title>Login · Ember Board</title>')
    const words = 'Log in or register to keep a watchlist and a portfolio of the tokens on Ember.'
    expect(html).toContain(`<meta name="description" content="${words}" />`)
    expect(html).toContain('<link rel="canonical" href="https://board.example/login" />')
    expect(html).toContain('<meta property="og:title" content="Login · Ember Board" />')
  })

  it('is of the pages of the price API', () => {
    const titleOf = (path: '/developers' | '/docs' | '/admin') =>
      /<title>(.*)<\/title>/.exec(putHead(template, site, { kind: 'named', path }))?.[1]
    expect([titleOf('/developers'), titleOf('/docs'), titleOf('/admin')]).toEqual([
      'Price API · Ember Board',
      'API Documentation · Ember Board',
      'Admin · Ember Board',
    ])
  })

  it('is of the portfolio and of the users too', () => {
    const portfolio = putHead(template, site, { kind: 'named', path: '/portfolio' })
    expect(portfolio).toContain('content="Balances and stakes of your wallets at live prices on Ember."')
    const users = putHead(template, site, { kind: 'named', path: '/users' })
    expect(users).toContain('content="How many users have watchlists and portfolios, and their favorite tokens, on Ember."')
  })
})

describe('names that somebody wrote to do harm', () => {
  it('stay text in a title and in an attribute', () => {
    const html = shown({ name: '</title><script>alert(1)</script>', symbol: '"><img' })
    expect(html).toContain(
      '<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; (&quot;&gt;&lt;img) price · Ember Board</title>',
    )
    expect(html).toContain('<meta property="og:title" content="&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; (&quot;&gt;')
    expect(html.match(/<script/g)).toHaveLength(3)
    expect(html).not.toContain('<img')
  })

  it('cannot end an attribute or begin an entity', () => {
    expect(shown({ name: `a' b" c& d&lt;` })).toContain('<title>a&#39; b&quot; c&amp; d&amp;lt; (TIDE) price')
  })

  it('are not read as a pattern of what to put in', () => {
    expect(shown({ name: "$& $` $' $1 $$" })).toContain('<title>$&amp; $` $&#39; $1 $$ (TIDE) price')
  })

  it('do not turn the direction of what follows', () => {
    const html = shown({ name: '\u202Ernp\u2066.x', symbol: '\u200FT' })
    expect(html).toContain('<title>rnp.x (T) price · Ember Board</title>')
  })

  it('are cut, so that ten thousand letters leave the page small', () => {
    const html = shown({ name: 'n'.repeat(10_000), symbol: 's'.repeat(1_000) })
    expect(html).toContain(`<title>${'n'.repeat(63)}… (${'s'.repeat(15)}…) price · Ember Board</title>`)
    expect(html.length).toBeLessThan(4_000)
  })

  it('of the site and the chain are cleaned too', () => {
    const html = home({ siteName: '<b>\u202E', chainName: '<i>' })
    expect(html).toContain('<title>&lt;b&gt;</title>')
    expect(html).toContain('content="Live prices, charts and swaps of the tokens on &lt;i&gt;."')
  })
})
