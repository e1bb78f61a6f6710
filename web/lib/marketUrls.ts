import type { QueryOf } from '@chainboard/contract'
import { apiUrl } from './apiUrl.ts'

// Addresses that the pages of the market alone ask for: apart from urls.ts and marketPaths.ts, which the home page loads first.

/** What was paid for boosts of a token, newest first. */
export function boostsUrl(token: string, pageSize: number): string {
  return apiUrl('/api/boosts', {}, { token, page: 1, pageSize })
}

export type FeedQuery = QueryOf<'/api/swaps'>
export type PoolsQuery = QueryOf<'/api/pools'>

/** A page of swaps. */
export function feedUrl(query: FeedQuery): string {
  return apiUrl('/api/swaps', {}, query)
}

/** The same swaps as a file. */
export function feedFileUrl(query: QueryOf<'/api/swaps.csv'>): string {
  return apiUrl('/api/swaps.csv', {}, query)
}

/** A page of pools. */
export function poolsUrl(query: PoolsQuery): string {
  return apiUrl('/api/pools', {}, query)
}

/** One pool. */
export function poolUrl(address: string): string {
  return apiUrl('/api/pools/:address', { address })
}

type CandlesQuery = QueryOf<'/api/tokens/:address/candles'>

/** A page of a token's candles. */
export function candlesUrl(address: string, query: CandlesQuery): string {
  return apiUrl('/api/tokens/:address/candles', { address }, query)
}

/** A token's figures over spans of time. */
export function windowsUrl(address: string): string {
  return apiUrl('/api/tokens/:address/windows', { address })
}
