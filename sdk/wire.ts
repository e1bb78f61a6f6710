// What the price API takes and answers, as JSON. Money is US dollars, times are unix seconds.

/** Whether a price can be relied on: `stale` is the last good value, `unpriced` is 0. */
export type PriceStatus = 'priced' | 'stale' | 'unpriced'

/**
 * `lookalike`: named like a verified token. `cannot-sell`, `sell-tax`: what a simulated sale came to. `pool-short`: its pool has less of it than it was given. `off-peg`: a stable coin that
 * trades off one dollar. `supply-contradicts`: the list says another supply than the chain. `supply-changed`: by much, within a day.
 * `one-provider`: one provider owns nearly all of the liquidity behind the price.
 */
export type WarningCode =
  | 'lookalike'
  | 'cannot-sell'
  | 'sell-tax'
  | 'pool-short'
  | 'off-peg'
  | 'supply-contradicts'
  | 'supply-changed'
  | 'decimals-changed'
  | 'one-provider'

/** `text` is a sentence or two, with the evidence in figures. */
export type Warning = { readonly code: WarningCode; readonly text: string }

/** One token's price, with what is needed to judge it. */
export type Price = {
  readonly name: string
  readonly symbol: string
  /** As the token list spells it. */
  readonly address: string
  /** US dollars per whole token, the median of the last minutes; 0 when `priceStatus` is `unpriced`. */
  readonly usdPrice: number
  /** US dollars per whole token after the last trade; `null` when unpriced or not known. */
  readonly lastPriceUsd: number | null
  /** US dollars per whole token between which the price lies; `null` when unpriced or not known. */
  readonly priceLow: number | null
  readonly priceHigh: number | null
  /** US dollars in fees that moving the price by 10 % and back costs; `null` when not known. */
  readonly costToMove10Percent: number | null
  /** Whole `pairSymbol` per whole token in the token's pool; 0 when unpriced or without a pool. */
  readonly pairPrice: number
  readonly pairSymbol: string | null
  /** Percent against the medians of 24 hours before; 0 when unpriced, `null` when there is no price that old. */
  readonly change24h: number | null
  /**
   * US dollars of every swap in the last 24 hours: gross, so that trading with oneself counts. `null` while not all of these hours are
   * read.
   */
  readonly volume24h: number | null
  /** The part of it by which wallets changed their positions and paid fees to others; `null` while nothing is known of it. */
  readonly organicVolume24h: number | null
  /** 0 to 1: the part of `volume24h` that was looked at for it; the rest counts nothing. */
  readonly organicCoverage: number
  /** US dollars: price x supply. */
  readonly marketCap: number
  /** The moment the price is of; `null` when unpriced. */
  readonly asOf: number | null
  /** The block the price was read at; `null` when it was not read from the chain. */
  readonly block: number | null
  readonly stale: boolean
  /** 0 to 1, from depth, age and how far prices lie apart; 0 when unpriced. */
  readonly confidence: number
  readonly priceStatus: PriceStatus
  /** Why the price is missing or weak, in words; empty when nothing is to be said. */
  readonly priceReasons: readonly string[]
  /** What is wrong with the token itself, whatever its price; empty when nothing is known. */
  readonly warnings: readonly Warning[]
}

/** A token that has the symbol asked for, but is not the one answered. */
export type Namesake = { readonly name: string; readonly symbol: string; readonly address: string; readonly verified: boolean }

/** The verified token with the deepest market of all that have the symbol; `others` are the rest, in the same order. */
export type SymbolPrice = Price & { readonly others: readonly Namesake[] }

/** One address of a batch, as it was sent. */
export type BatchItem =
  | { readonly address: string; readonly success: true; readonly data: Price }
  | { readonly address: string; readonly success: false; readonly error: { readonly code: ErrorCode; readonly message: string } }

export type Tier = 'shared' | 'free' | 'basic' | 'custom' | 'forever'

/** The caller's UTC day. `remaining` is after this request. */
export type RateLimit = { readonly tier: Tier; readonly limit: number; readonly remaining: number }

export type Answer<T> = { readonly success: true; readonly data: T; readonly rateLimit: RateLimit }

/** Every way the API refuses. `INVALID_REQUEST` is the fault of the call, `SERVER_ERROR` and `UNAVAILABLE` are not. */
export type ErrorCode =
  | 'INVALID_API_KEY'
  | 'KEY_EXPIRED'
  | 'KEY_INACTIVE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'TOKEN_NOT_FOUND'
  | 'INVALID_REQUEST'
  | 'SERVER_ERROR'
  | 'UNAVAILABLE'

export type ErrorAnswer = {
  readonly success: false
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly limit?: number; readonly remaining?: number }
}

/** First word of a stream. `resumed`: what was missed follows; else it is no longer kept, and the prices have to be read anew. */
export type Ready = { readonly resumed: boolean; readonly block: number | null }

/** The chain has changed its mind: what was told of blocks after `block` is void for these tokens; their prices follow. */
export type Retracted = { readonly block: number | null; readonly addresses: readonly string[] }

/** Last word of a stream that may not go on. */
export type Ended = { readonly code: ErrorCode; readonly message: string }
