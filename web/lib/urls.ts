import type { ChartRange, TokenSort } from '@chainboard/core'
import { safeUrl } from './safeUrl.ts'

// Every address the app asks for or links to.

export const homePath = '/'
export const loginPath = '/login'
export const portfolioPath = '/portfolio'
export const usersPath = '/users'
export const developersPath = '/developers'
export const docsPath = '/docs'
export const adminPath = '/admin'

export const configUrl = '/api/config'
export const statusUrl = '/api/status'
/** Whether the server lives, and nothing else. */
export const healthUrl = '/healthz'

export type TokenPageQuery = {
  readonly search: string
  readonly sort: TokenSort
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

export function tokenPageUrl({ search, sort, page, pageSize }: TokenPageQuery): string {
  const query = new URLSearchParams({ sort, page: String(page), pageSize: String(pageSize) })
  if (search) query.set('search', search)
  return `/assets.json?${query}`
}

/** The boosted tokens, those with the most time left first. */
export function boostedUrl(pageSize: number): string {
  return `/assets.json?${new URLSearchParams({ boosted: 'true', page: '1', pageSize: String(pageSize) })}`
}

export const highlightedUrl = '/highlighted.json'
export const trendingUrl = '/api/trending'

export function tokensUrl(addresses: readonly string[]): string {
  return `/assets.json?${new URLSearchParams({ addresses: addresses.join(',') })}`
}

export function chartUrl(address: string, range: ChartRange, withCandles: boolean): string {
  const query = new URLSearchParams({ range })
  if (withCandles) query.set('candles', '1')
  return `/api/tokens/${encodeURIComponent(address)}/chart?${query}`
}

export function swapsUrl(address: string, limit: number): string {
  return `/api/tokens/${encodeURIComponent(address)}/swaps?limit=${limit}`
}

/** All that a price was made of, as JSON for whoever wants to work it out again. */
export function receiptUrl(address: string): string {
  return `/api/tokens/${encodeURIComponent(address)}/receipt`
}

/** Fills `{address}` or `{hash}` of a template from the network file; `undefined` when the result is no http(s) address. */
export function fillTemplate(template: string | null, value: string): string | undefined {
  if (template === null) return undefined
  return safeUrl(template.replaceAll(/\{(?:address|hash)\}/g, encodeURIComponent(value)))
}

/** The node's JSON-RPC on this server. */
export const rpcUrl = '/rpc'

/** An address for those outside of this page, such as a wallet. */
export function absoluteUrl(url: string, origin: string): string {
  return new URL(url, origin).href
}

/** `https://explorer.example/tx/{hash}` -> `https://explorer.example`; `undefined` for what is no http(s) address. */
export function originOf(template: string): string | undefined {
  const url = safeUrl(template)
  return url && new URL(url).origin
}

export const usersUrl = '/api/users'
export const logoutUrl = '/api/session/logout'
export const userCountUrl = '/api/stats/users'

export function userUrl(username: string): string {
  return `${usersUrl}/${encodeURIComponent(username)}`
}

export function verifyPinUrl(username: string): string {
  return `${userUrl(username)}/verify-pin`
}

export function signInCodeUrl(username: string): string {
  return `${userUrl(username)}/sign-in-code`
}

export function favoritesUrl(username: string): string {
  return `/api/favorites/${encodeURIComponent(username)}`
}

export function favoriteUrl(username: string, tokenAddress: string): string {
  return `${favoritesUrl(username)}/${encodeURIComponent(tokenAddress)}`
}

export function walletsUrl(username: string): string {
  return `${userUrl(username)}/wallets`
}

export function walletUrl(username: string, address: string): string {
  return `${walletsUrl(username)}/${encodeURIComponent(address)}`
}

/** Tokens that name a contract they are staked in. */
export const stakableUrl = '/assets.json?staking=1'

export function balanceUrl(wallet: string): string {
  return `/api/wallets/${encodeURIComponent(wallet)}/balance`
}

/** `token` says which of the tokens staked in the contract is meant. */
export function stakeUrl(contract: string, wallet: string, token: string): string {
  return `/api/staking/${encodeURIComponent(contract)}/${encodeURIComponent(wallet)}?${new URLSearchParams({ token })}`
}

export const dashboardUrl = '/api/stats/dashboard'

/** The home page with a token's details open. */
export function tokenPath(address: string): string {
  return `${homePath}?${new URLSearchParams({ token: address })}`
}

export const freeKeyUrl = '/api/keys/generate-free'
export const pricesUrl = '/api/v1/prices'
export const batchUrl = `${pricesUrl}/batch`
export const streamUrl = '/api/v1/stream'
export const openApiUrl = '/api/openapi.json'
/** The price API's client in one file, for whoever wants to have it. */
export const clientFileUrl = '/price-client.mjs'
export const clientTypesUrl = '/price-client.d.mts'

export function priceUrl(address: string): string {
  return `${pricesUrl}/${encodeURIComponent(address)}`
}

export function symbolPriceUrl(symbol: string): string {
  return `${pricesUrl}/symbol/${encodeURIComponent(symbol)}`
}

export function streamOfUrl(addresses: readonly string[]): string {
  return `${streamUrl}?addresses=${addresses.map(encodeURIComponent).join(',')}`
}

/** @param subject of the letter */
export function mailUrl(email: string, subject: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=${encodeURIComponent(subject)}`
}

/** The operators' panel on this server. */
export const adminUrls = {
  verify: '/api/admin/verify',
  logout: '/api/admin/logout',
  list: '/api/admin/keys/list',
  stats: '/api/admin/stats',
  acts: '/api/admin/acts',
  create: '/api/admin/keys',
} as const

export function keyUpdateUrl(id: string): string {
  return `${adminUrls.create}/${encodeURIComponent(id)}/update`
}

export function keyDeleteUrl(id: string): string {
  return `${adminUrls.create}/${encodeURIComponent(id)}/delete`
}
