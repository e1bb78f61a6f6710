import type { Path, QueryOf } from '@chainboard/contract'
import type { ChartRange, TokenSort } from '@chainboard/core'
import { apiUrl } from './apiUrl.ts'
import { safeUrl } from './safeUrl.ts'

// Every address the app asks for or links to, but those of `portfolioUrls.ts`, `priceApiUrls.ts` and `signInUrls.ts`, which no first
// load needs.

export const homePath = '/'
export const loginPath = '/login'
export const portfolioPath = '/portfolio'
export const usersPath = '/users'
export const developersPath = '/developers'
export const docsPath = '/docs'
export const adminPath = '/admin'

export const configUrl = '/api/config' satisfies Path
export const statusUrl = '/api/status' satisfies Path
/** Whether the server lives, and nothing else. */
export const healthUrl = '/healthz' satisfies Path

/** What restricts the table; see the contract of `/assets.json`. */
export type FilterQuery = Pick<QueryOf<'/assets.json'>, 'category' | 'verified' | 'liquidityMin' | 'newDays' | 'move' | 'warned'>

export type TokenPageQuery = {
  readonly search: string
  readonly sort: TokenSort
  /** From 1. */
  readonly page: number
  readonly pageSize: number
  readonly filter: FilterQuery
}

/** One page of the list of tokens; the answer counts all pages in `X-Total-Count`. */
export function tokenPageUrl({ search, sort, page, pageSize, filter }: TokenPageQuery): string {
  return apiUrl('/assets.json', {}, { sort, page, pageSize, ...(search ? { search } : {}), ...filter })
}

/** The boosted tokens, those with the most time left first. */
export function boostedUrl(pageSize: number): string {
  return apiUrl('/assets.json', {}, { boosted: 'true', page: 1, pageSize })
}

export const highlightedUrl = '/highlighted.json' satisfies Path
export const categoriesUrl = '/api/tokens/categories' satisfies Path
export const trendingUrl = '/api/trending' satisfies Path

/** The tokens at these addresses, a hundred at most; those nobody lists are not in the answer. */
export function tokensUrl(addresses: readonly string[]): string {
  return apiUrl('/assets.json', {}, { addresses: addresses.join(',') })
}

/** The last seven days of these tokens, 50 at most, in a few points each. */
export function sparklinesUrl(addresses: readonly string[]): string {
  return apiUrl('/api/tokens/sparklines', {}, { addresses: addresses.join(',') })
}

/** The prices of a range, with candles where they are wanted. */
export function chartUrl(address: string, range: ChartRange, withCandles: boolean): string {
  return apiUrl('/api/tokens/:address/chart', { address }, { range, ...(withCandles ? { candles: '1' } : {}) })
}

/** The newest swaps of a token. */
export function swapsUrl(address: string, limit: number): string {
  return apiUrl('/api/tokens/:address/swaps', { address }, { limit })
}

/** All that a price was made of, as JSON for whoever wants to work it out again. */
export function receiptUrl(address: string): string {
  return apiUrl('/api/tokens/:address/receipt', { address })
}

/** Fills `{address}` or `{hash}` of a template from the network file; `undefined` when the result is no http(s) address. */
export function fillTemplate(template: string | null, value: string): string | undefined {
  if (template === null) return undefined
  return safeUrl(template.replaceAll(/\{(?:address|hash)\}/g, encodeURIComponent(value)))
}

/** The node's JSON-RPC on this server. */
export const rpcUrl = '/rpc' satisfies Path

/** An address for those outside of this page, such as a wallet. */
export function absoluteUrl(url: string, origin: string): string {
  return new URL(url, origin).href
}

/** `https://explorer.example/tx/{hash}` -> `https://explorer.example`; `undefined` for what is no http(s) address. */
export function originOf(template: string): string | undefined {
  const url = safeUrl(template)
  return url && new URL(url).origin
}

export const usersUrl = '/api/users' satisfies Path
export const logoutUrl = '/api/session/logout' satisfies Path
export const userCountUrl = '/api/stats/users' satisfies Path

/** A user with the wallets; DELETE ends the account. */
export function userUrl(username: string): string {
  return apiUrl('/api/users/:username', { username })
}

/** Where a name and a PIN become a session. */
export function verifyPinUrl(username: string): string {
  return apiUrl('/api/users/:username/verify-pin', { username })
}

/** A user's watchlist. */
export function favoritesUrl(username: string): string {
  return apiUrl('/api/favorites/:username', { username })
}

/** One token of a user's watchlist. */
export function favoriteUrl(username: string, tokenAddress: string): string {
  return apiUrl('/api/favorites/:username/:tokenAddress', { username, tokenAddress })
}

/** Where a wallet is added. */
export function walletsUrl(username: string): string {
  return apiUrl('/api/users/:username/wallets', { username })
}

/** One wallet of a user's list. */
export function walletUrl(username: string, address: string): string {
  return apiUrl('/api/users/:username/wallets/:address', { username, address })
}

export const dashboardUrl = '/api/stats/dashboard' satisfies Path

/** The home page with a token's details open. */
export function tokenPath(address: string): string {
  return `${homePath}?${new URLSearchParams({ token: address })}`
}

/** The page of a token. @param token its address, or its symbol, which the page looks up */
export function tokenPagePath(token: string): string {
  return `/token/${encodeURIComponent(token)}`
}
