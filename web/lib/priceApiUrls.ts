import type { Path } from '@chainboard/contract'
import { apiUrl } from './apiUrl.ts'

// What the pages about the price API ask for and show, apart from `urls.ts`, which is a part of the first load of every page.

export const freeKeyUrl = '/api/keys/generate-free' satisfies Path
export const pricesUrl = '/api/v1/prices' satisfies Path
export const batchUrl = '/api/v1/prices/batch' satisfies Path
export const streamUrl = '/api/v1/stream' satisfies Path
export const openApiUrl = '/api/openapi.json' satisfies Path
/** The price API's client in one file, for whoever wants to have it. */
export const clientFileUrl = '/price-client.mjs'
export const clientTypesUrl = '/price-client.d.mts'

/** The price of one token in the price API. */
export function priceUrl(address: string): string {
  return apiUrl('/api/v1/prices/:address', { address })
}

/** The price of the token that is meant by a symbol. */
export function symbolPriceUrl(symbol: string): string {
  return apiUrl('/api/v1/prices/symbol/:symbol', { symbol })
}

/** The stream of the prices of some tokens. */
export function streamOfUrl(addresses: readonly string[]): string {
  return `${streamUrl}?addresses=${addresses.map(encodeURIComponent).join(',')}`
}

/** @param subject of the letter */
export function mailUrl(email: string, subject: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=${encodeURIComponent(subject)}`
}
