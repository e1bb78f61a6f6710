import { toDisplayText } from './displayText.ts'
import { shortenAddress } from './format.ts'
import type { WireToken } from './wire.ts'

// Titles of pages, in the tab, in search results and in previews alike: the server writes them first, the page keeps them.

/** The title of the site itself. */
export function toSiteTitle(siteName: string): string {
  return toDisplayText(siteName, 'Chainboard')
}

/** The title of a page that shows one token: `Tidewater (TIDE) price · Chainboard`. */
export function toTokenTitle(
  { name, symbol, address }: Pick<WireToken, 'name' | 'symbol' | 'address'>,
  siteName: string,
): string {
  const short = shortenAddress(address)
  return `${toDisplayText(name, short)} (${toDisplayText(symbol, short, 16)}) price · ${toSiteTitle(siteName)}`
}

/** The title of a page with a name: `Login · Chainboard`. */
export function toPageTitle(name: string, siteName: string): string {
  return `${name} · ${toSiteTitle(siteName)}`
}
