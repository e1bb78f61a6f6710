import type { Address } from '@chainboard/core'
import type { DexPair, ListedCoin } from './cmcShapes.ts'

/** A row as CoinMarketCap sent it, with the `timestamp` of the answer it came in (ISO 8601). */
export type KeptRow<T> = { readonly row: T; readonly timestamp: string }

/**
 * The newest answers of CoinMarketCap, as they came, for those who want them in its own words. Written by the sources on every
 * reading; a row that the newest reading lacks goes. No larger than the token list.
 */
export type CmcBook = {
  findCoin(slug: string): KeptRow<ListedCoin> | undefined
  findPair(pool: Address): KeptRow<DexPair> | undefined
  keepCoins(rows: readonly ListedCoin[], timestamp: string): void
  keepPairs(rows: readonly DexPair[], timestamp: string): void
}

/** Empty until the first answer. */
export function createCmcBook(): CmcBook {
  let coins: ReadonlyMap<string, KeptRow<ListedCoin>> = new Map()
  let pairs: ReadonlyMap<string, KeptRow<DexPair>> = new Map()
  return {
    findCoin: (slug) => coins.get(slug),
    findPair: (pool) => pairs.get(pool),
    keepCoins: (rows, timestamp) => {
      coins = new Map(rows.map((row) => [row.slug, { row, timestamp }]))
    },
    keepPairs: (rows, timestamp) => {
      pairs = new Map(rows.map((row) => [row.contract_address.toLowerCase(), { row, timestamp }]))
    },
  }
}
