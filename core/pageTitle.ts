import { toDisplayText } from './displayText.ts'
import { shortenAddress } from './format.ts'

// Titles of pages, in the tab, in search results and in previews alike: the server writes them first, the page keeps them.

/** The title of the site itself. */
export function toSiteTitle(siteName: string): string {
  return toDisplayText(siteName, 'Chainboard')
}

/** What of a token is shown, by the word for it in the address. */
export type TokenTopic = 'token' | 'chart' | 'swaps' | 'boost'

const topicNames: Readonly<Record<TokenTopic, string>> = {
  token: 'price',
  chart: 'price chart',
  swaps: 'recent swaps',
  boost: 'boost',
}

/** The title of a page that shows one token: `Tidewater (TIDE) price · Chainboard`, of its chart `Tidewater (TIDE) price chart · …`. */
export function toTokenTitle(
  { name, symbol, address }: { readonly name: string; readonly symbol: string; readonly address: string },
  siteName: string,
  topic: TokenTopic = 'token',
): string {
  const short = shortenAddress(address)
  return `${toDisplayText(name, short)} (${toDisplayText(symbol, short, 16)}) ${topicNames[topic]} · ${toSiteTitle(siteName)}`
}

/** The title of a page with a name: `Login · Chainboard`. */
export function toPageTitle(name: string, siteName: string): string {
  return `${name} · ${toSiteTitle(siteName)}`
}
