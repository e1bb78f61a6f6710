import type { WireToken } from '@chainboard/contract'
import { safeUrl } from '../lib/safeUrl.ts'

/** A page about a token elsewhere. `icon` is a name of ui/Icon.tsx. */
export type TokenLink = {
  readonly icon: 'website' | 'x' | 'telegram' | 'coinMarketCap' | 'coinGecko'
  /** Where it leads: `Website`, `X`, … */
  readonly site: string
  readonly url: string
}

/** The pages about a token that its list entry names, in the order they are shown. What is no http(s) address is left out. */
export function describeLinks(token: WireToken): TokenLink[] {
  const links = [
    { icon: 'website', site: 'Website', url: safeUrl(token.website) },
    { icon: 'x', site: 'X', url: safeUrl(token.X) },
    { icon: 'telegram', site: 'Telegram', url: safeUrl(token.telegram) },
    { icon: 'coinMarketCap', site: 'CoinMarketCap', url: safeUrl(token.cmcUrl) },
    { icon: 'coinGecko', site: 'CoinGecko', url: safeUrl(token.coingeckoUrl) },
  ] as const
  return links.flatMap(({ url, ...link }) => (url ? [{ ...link, url }] : []))
}
