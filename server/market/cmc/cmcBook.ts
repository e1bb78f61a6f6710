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
  /** All that is kept. */
  rows(): CmcRows
}

/** Coins by slug, pairs by their pool's address in small letters. */
export type CmcRows = {
  readonly coins: ReadonlyMap<string, KeptRow<ListedCoin>>
  readonly pairs: ReadonlyMap<string, KeptRow<DexPair>>
}

/** @param first absent: empty until the first answer */
export function createCmcBook(first: CmcRows = { coins: new Map(), pairs: new Map() }): CmcBook {
  let { coins, pairs } = first
  return {
    findCoin: (slug) => coins.get(slug),
    findPair: (pool) => pairs.get(pool),
    rows: () => ({ coins, pairs }),
    keepCoins: (rows, timestamp) => {
      coins = new Map(rows.map((row) => [row.slug, { row, timestamp }]))
    },
    keepPairs: (rows, timestamp) => {
      pairs = new Map(rows.map((row) => [row.contract_address.toLowerCase(), { row, timestamp }]))
    },
  }
}
