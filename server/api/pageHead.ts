import type { WireToken } from '@chainboard/contract'
import {
  formatMoney,
  formatPercent,
  formatUsdPrice,
  noValue,
  shortenAddress,
  type TokenTopic,
  toDisplayText,
  toPageTitle,
  toSiteTitle,
  toTokenTitle,
} from '@chainboard/core'
import { toScriptText } from './pages/putDrawn.ts'

/** What the head of every page says. Paths are on this server. */
export type HeadSite = {
  readonly siteName: string
  readonly chainName: string
  /** `https://board.example`: addresses in previews have to be whole. */
  readonly origin: string
  /** The same where it is a public one: only then a token's page names a picture of the token. */
  readonly publicOrigin: string | undefined
  /** The network's own logo; undefined for the mark of the product. */
  readonly logoPath: string | undefined
  /** The network's own picture for previews; undefined for that of the product. */
  readonly previewPath: string | undefined
}

/** Which page it is. */
export type HeadPage =
  | { readonly kind: 'home' }
  | { readonly kind: 'token'; readonly token: HeadToken; readonly topic?: TokenTopic }
  | { readonly kind: 'named'; readonly path: NamedPath }
  /** `path`: the one address of a page that has no name. */
  | { readonly kind: 'other'; readonly path?: string }

type HeadToken = Pick<WireToken, 'name' | 'symbol' | 'address' | 'priceStatus' | 'priceInUsd' | 'priceChange24h' | 'fdmc'>

/** Pages with a name of their own, by path. What they say of themselves follows the chain's name. */
const namedPages = {
  '/login': { name: 'Login', about: 'Log in or register to keep a watchlist and a portfolio of the tokens on' },
  '/portfolio': { name: 'Portfolio', about: 'Balances and stakes of your wallets at live prices on' },
  '/users': { name: 'Users', about: 'How many users have watchlists and portfolios, and their favorite tokens, on' },
  '/pools': { name: 'Pools', about: 'Every pool of the exchange with its liquidity, depth and volume on' },
  '/swaps': { name: 'Swaps', about: 'Every swap of the exchange, as it happens, on' },
  '/developers': { name: 'Price API', about: 'Token prices over HTTP, with a free key for every wallet, on' },
  '/docs': { name: 'API Documentation', about: 'How to use the price API for the tokens on' },
  '/admin': { name: 'Admin', about: 'For the operators of the price API on' },
} as const

type NamedPath = keyof typeof namedPages

/** The path of a page with a name; a slash at its end means nothing. */
export function findNamedPath(path: string): NamedPath | undefined {
  const plain = path.replace(/\/$/, '')
  return isNamed(plain) ? plain : undefined
}

function isNamed(path: string): path is NamedPath {
  return Object.hasOwn(namedPages, path)
}

/** Where web/index.html lets the server write; what stands between is for `vite dev`, which has no server. */
const place = /<!-- head -->.*?<!-- \/head -->/s

/** The page with the head of the network and of the token it shows. Names of tokens are anybody's text: cleaned, cut and escaped. */
export function putHead(html: string, site: HeadSite, page: HeadPage): string {
  const head = toPageHead(site, page)
  // A function, for which `$&` in a name is no pattern.
  return html.replace(place, () => head)
}

function toPageHead(site: HeadSite, page: HeadPage): string {
  const { origin, logoPath } = site
  const { title, description, path } = toHeadText(site, page)
  const url = path === undefined ? undefined : `${origin}${path}`
  const siteTitle = toSiteTitle(site.siteName)
  return [
    `<title>${escapeHtml(title)}</title>`,
    tag('meta', { name: 'description', content: description }),
    tag('meta', { name: 'application-name', content: siteTitle }),
    ...(url ? [tag('link', { rel: 'canonical', href: url })] : []),
    tag('link', { rel: 'icon', href: logoPath ?? '/favicon.svg', type: pictureTypeOf(logoPath ?? '/favicon.svg') }),
    tag('link', { rel: 'apple-touch-icon', href: logoPath && !logoPath.endsWith('.svg') ? logoPath : '/apple-touch-icon.png' }),
    tag('link', { rel: 'manifest', href: '/manifest.webmanifest' }),
    tag('meta', { property: 'og:type', content: 'website' }),
    tag('meta', { property: 'og:site_name', content: siteTitle }),
    tag('meta', { property: 'og:title', content: title }),
    tag('meta', { property: 'og:description', content: description }),
    ...(url ? [tag('meta', { property: 'og:url', content: url })] : []),
    tag('meta', { name: 'twitter:title', content: title }),
    tag('meta', { name: 'twitter:description', content: description }),
    ...toPictureTags(findPicture(site, page)),
    ...toLinkedData(site, page).map(
      (data) => `<script type="application/ld+json">${toScriptText(JSON.stringify(data))}</script>`,
    ),
  ].join('\n    ')
}

type HeadPicture = { readonly url: string; readonly alt?: string }

/** A token has a picture of its own, which no network could get from an address that is not public. */
function findPicture({ origin, publicOrigin, previewPath }: HeadSite, page: HeadPage): HeadPicture | undefined {
  if (page.kind !== 'token') return { url: `${origin}${previewPath ?? '/preview.png'}` }
  const { name, symbol, address } = page.token
  const short = shortenAddress(address)
  const alt = `Price of ${toDisplayText(name, short)} (${toDisplayText(symbol, short, 16)}) with its last 7 days`
  return publicOrigin === undefined ? undefined : { url: `${publicOrigin}/token/${address}/share.png`, alt }
}

function toPictureTags(picture: HeadPicture | undefined): readonly string[] {
  if (!picture) return [tag('meta', { name: 'twitter:card', content: 'summary' })]
  const { url, alt } = picture
  return [
    tag('meta', { property: 'og:image', content: url }),
    tag('meta', { property: 'og:image:width', content: '1200' }),
    tag('meta', { property: 'og:image:height', content: '630' }),
    ...(alt ? [tag('meta', { property: 'og:image:alt', content: alt })] : []),
    tag('meta', { name: 'twitter:card', content: 'summary_large_image' }),
    tag('meta', { name: 'twitter:image', content: url }),
    ...(alt ? [tag('meta', { name: 'twitter:image:alt', content: alt })] : []),
  ]
}

/** What search engines read of a page, in the words of schema.org. */
function toLinkedData({ siteName, origin }: HeadSite, page: HeadPage): readonly object[] {
  const context = { '@context': 'https://schema.org' }
  if (page.kind === 'home') {
    const target = { '@type': 'EntryPoint', urlTemplate: `${origin}/?q={search_term_string}` }
    const search = { '@type': 'SearchAction', target, 'query-input': 'required name=search_term_string' }
    return [{ ...context, '@type': 'WebSite', name: toSiteTitle(siteName), url: `${origin}/`, potentialAction: search }]
  }
  if (page.kind !== 'token' || page.token.priceStatus === 'unpriced') return []
  const { address, priceInUsd } = page.token
  const symbol = toDisplayText(page.token.symbol, shortenAddress(address), 16)
  return [
    {
      ...context,
      ...{ '@type': 'ExchangeRateSpecification', url: `${origin}/token/${address}`, currency: symbol },
      name: toDisplayText(page.token.name, symbol),
      currentExchangeRate: { '@type': 'UnitPriceSpecification', price: priceInUsd, priceCurrency: 'USD' },
    },
  ]
}

type HeadText = { readonly title: string; readonly description: string; readonly path: string | undefined }

function toHeadText({ siteName, chainName }: HeadSite, page: HeadPage): HeadText {
  const chain = toDisplayText(chainName, 'the chain', 40)
  if (page.kind === 'token') {
    const { token, topic } = page
    return {
      title: toTokenTitle(token, siteName, topic),
      description: `${toFigures(token)}. Chart and swaps of ${toDisplayText(token.name, shortenAddress(token.address))} on ${chain}.`,
      // Its details, chart and swaps on the home page are the same page to a search engine.
      path: `/token/${token.address}`,
    }
  }
  if (page.kind === 'named') {
    const { name, about } = namedPages[page.path]
    return { title: toPageTitle(name, siteName), description: `${about} ${chain}.`, path: page.path }
  }
  const description = `Live prices, charts and swaps of the tokens on ${chain}.`
  return { title: toSiteTitle(siteName), description, path: page.kind === 'home' ? '/' : page.path }
}

function toFigures({ priceStatus, priceInUsd, priceChange24h, fdmc }: HeadToken): string {
  const unpriced = priceStatus === 'unpriced'
  const price = unpriced ? noValue : formatUsdPrice(priceInUsd)
  const change = unpriced ? noValue : formatPercent(priceChange24h)
  return `Price ${price}, 24h change ${change}, market cap ${unpriced ? noValue : formatMoney(fdmc)}`
}

const pictureTypes: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
}

/** @param path whose ending the network file has checked */
export function pictureTypeOf(path: string): string {
  return pictureTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'image/png'
}

function tag(name: 'meta' | 'link', attributes: Readonly<Record<string, string>>): string {
  const text = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
  return `<${name}${text.join('')} />`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
