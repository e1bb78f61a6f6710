import type { Address } from '@chainboard/core'
import type { BlockRef } from '../store/syncCursor.ts'
import type { Hop, Route } from './route.ts'
import type { ListedToken } from './tokenList.ts'

/** A pool on the way from a token to US dollars, with what it said at the block of the quote. */
export type HopEvidence = Hop & {
  readonly fee: number
  readonly baseSymbol: string
  readonly quoteSymbol: string
  readonly sqrtPriceX96: bigint
  /** US dollars per whole quote token x 10^18. */
  readonly quoteUsdE18: bigint
  /** `undefined`: the pool has never traded. */
  readonly lastSwapAtSeconds: number | undefined
}

/**
 * One source's claim about one token, with all that is needed to check it. `usdE18` is US dollars per whole token x 10^18.
 * What the source does not know is undefined.
 */
export type Quote = {
  readonly source: string
  readonly usdE18: bigint
  readonly atBlock: BlockRef
  readonly route: readonly HopEvidence[]
  /** Of the shallowest pool on the route; undefined for a stable coin. */
  readonly depthUsdE18: bigint | undefined
  /** 0 to 1. */
  readonly confidence: number
  /** What weakens the price, in words. */
  readonly reasons: readonly string[]
  /** US dollars x 10^18 a day and a week before `atBlock`, along the same route; undefined when a pool on it was not there yet. */
  readonly dayAgoUsdE18: bigint | undefined
  readonly weekAgoUsdE18: bigint | undefined
  /** US dollars x 10^18 traded in the 24 hours before `atBlock`, in all pools of the token. */
  readonly volume24hUsdE18: bigint
}

/** A pool of a token as the page shows it. `priceE18`: whole `quoteSymbol` per whole token x 10^18. */
export type DisplayPool = {
  readonly pool: Address
  readonly fee: number
  readonly token0: Address
  readonly token1: Address
  readonly decimals0: number
  readonly decimals1: number
  readonly baseIsToken0: boolean
  readonly quoteSymbol: string
  readonly priceE18: bigint
  /** From the quote token to US dollars; undefined when it has no price. */
  readonly quoteRoute: Route | undefined
}

export type SourceAnswer =
  | { readonly kind: 'quoted'; readonly quote: Quote; readonly displayPool: DisplayPool | undefined }
  | { readonly kind: 'unpriced'; readonly reasons: readonly string[]; readonly displayPool: DisplayPool | undefined }

/** What a source says of all listed tokens at one moment; `atBlock` is undefined for a source that has read nothing yet. */
export type SourceReading = { readonly atBlock: BlockRef | undefined; readonly answers: ReadonlyMap<Address, SourceAnswer> }

/** PORT to a source of prices. `read` answers for every token asked about. */
export type PriceSource = { readonly name: string; read(tokens: readonly ListedToken[]): Promise<SourceReading> }
