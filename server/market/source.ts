import type { WireWarning } from '@chainboard/contract'
import type { Address, ByRecentSpan, Hop, Route } from '@chainboard/core'
import type { PoolPeriod } from '../store/poolPeriods.ts'
import type { Swap } from '../store/swaps.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import type { ListedToken } from './tokenList.ts'

/** The name of a source of prices: of its folder in `sources/`. `sourceRegistry.ts` has all of them. */
export type SourceName = string

/** A pool on the way from a token to US dollars, with what it said at the block of the quote. */
export type HopEvidence = Hop & {
  readonly fee: number
  readonly baseSymbol: string
  readonly quoteSymbol: string
  /** After its last event. */
  readonly sqrtPriceX96: bigint
  /** The median of the window. */
  readonly medianX96: bigint
  /** US dollars per whole quote token x 10^18. */
  readonly quoteUsdE18: bigint
  /** What the pool says that a whole base token is worth, in US dollars x 10^18, and how much that weighs. */
  readonly usdE18: bigint
  readonly weightUsdE18: bigint
  /** `undefined`: the pool has never traded. */
  readonly lastSwapAtSeconds: number | undefined
  /** Absent where that is not known. */
  readonly firstSwapAtSeconds?: number | undefined
  /** Smallest units of the base that events of the pool brought and did not take; absent where that is not known. */
  readonly baseReserveRaw?: bigint | undefined
}

/** The price of one token and every pool that counts for it; none for a stable coin. US dollars per whole token x 10^18. */
export type PriceStep = {
  readonly token: Address
  readonly symbol: string
  readonly usdE18: bigint
  readonly pools: readonly HopEvidence[]
}

/**
 * One source's claim about one token, with all that is needed to check it. `usdE18` is US dollars per whole token x 10^18.
 * What the source does not know is undefined.
 */
export type Quote = {
  readonly source: SourceName
  readonly usdE18: bigint
  /** Unix seconds of the moment the price is of: the block's, or the one an upstream names. */
  readonly observedAtSeconds: number
  /** How long the source itself says that the price holds from then on; absent: as long as the network file says. */
  readonly validSeconds?: number
  /** How anybody can ask for it again, where the source alone knows. */
  readonly askedAs?: string
  /** Undefined for a price that is not worked out from pools. */
  readonly atBlock: BlockRef | undefined
  /** Along the pools that weigh most. Empty for a stable coin, and for a price that is not worked out from pools. */
  readonly route: readonly HopEvidence[]
  /** All prices that this one follows from, its own first, each before those that it is made of. Empty where the route is. */
  readonly steps: readonly PriceStep[]
  /** US dollars per whole token x 10^18 after the last trade in the pools of the route; undefined where that is not known. */
  readonly lastUsdE18: bigint | undefined
  /** US dollars per whole token x 10^18 between which the price lies, by all that is known of the last minutes and hours. */
  readonly range: { readonly lowE18: bigint; readonly highE18: bigint } | undefined
  /** US dollars x 10^18 in fees that moving this price by 10 % and back costs; undefined where it is not known. */
  readonly costToMoveUsdE18: bigint | undefined
  /** What trades within 2 % of the price in the pools that agree with it; undefined for a stable coin. */
  readonly depthUsdE18: bigint | undefined
  /** 0 to 1. */
  readonly confidence: number
  /** What weakens the price, in words. */
  readonly reasons: readonly string[]
  /** US dollars x 10^18 a day and a week before, by the same source along the same route; undefined when it had no price then. */
  readonly dayAgoUsdE18: bigint | undefined
  readonly weekAgoUsdE18: bigint | undefined
  /** The same for moments of the last hours; absent for a source that does not know them. */
  readonly recentUsdE18?: ByRecentSpan<bigint | undefined>
  /**
   * US dollars x 10^18 traded in the 24 hours before: in all pools of the token, or wherever the source counts. Undefined while not all of
   * these hours are read.
   */
  readonly volume24hUsdE18: bigint | undefined
  /** US dollars x 10^18 as the source itself says; undefined: price x supply of the list. */
  readonly fdmcUsdE18: bigint | undefined
  readonly marketCapUsdE18: bigint | undefined
}

/** What a quote has that is not worked out from pools of the chain: somebody else says it. */
export const offChain = {
  atBlock: undefined,
  route: [],
  steps: [],
  lastUsdE18: undefined,
  range: undefined,
  costToMoveUsdE18: undefined,
  depthUsdE18: undefined,
} as const satisfies Partial<Quote>

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

/** What a source knows of a token that belongs to no price. The source that reads pools tells every field: `answer` of answerFromPools.ts. */
export type TokenFacts = {
  readonly displayPool: DisplayPool | undefined
  /** Whole tokens on the chain, as the nearest double; undefined when the source does not know. */
  readonly supply?: number | undefined
  /** Unix seconds of the first swap in a pool of the token; undefined when that is not known. */
  readonly firstTradeAtSeconds?: number | undefined
}

export type SourceAnswer = TokenFacts & {
  /** What the source knows to be wrong with the token itself. */
  readonly warnings?: readonly WireWarning[]
} & ({ readonly kind: 'quoted'; readonly quote: Quote } | { readonly kind: 'unpriced'; readonly reasons: readonly string[] })

/** What a source says of the tokens asked about tokens at one moment; `atBlock` is undefined for a source that has read nothing yet. */
export type SourceReading = {
  readonly atBlock: BlockRef | undefined
  readonly answers: ReadonlyMap<Address, SourceAnswer>
  /** US dollars x 10^18 that each pool traded in the 24 hours before, by a source that knows pools. */
  readonly poolVolumes?: ReadonlyMap<Address, bigint>
  /** Unix seconds from when on the source has every event; undefined: from the beginning. */
  readonly sinceSeconds?: number | undefined
}

/**
 * PORT to a source of prices. `read` answers for every token asked about, or fails with a `Failure` of the codes
 * `upstream-…`, or `rpc-…` for one that reads the chain's nodes, when the source as a whole does not answer.
 */
export type PriceSource = {
  readonly name: SourceName
  read(tokens: readonly ListedToken[]): Promise<SourceReading>
}

/**
 * PORT to the past of pools, as the index or a remote subgraph tells it. May fail with a `Failure` of the codes `upstream-…`.
 */
export type PoolHistory = {
  /** Hours of each pool that start in the span of `hours` (starts, ascending), and the last one before it. */
  listHoursCovering(pools: readonly Address[], hours: readonly number[]): Promise<ReadonlyMap<Address, readonly PoolHour[]>>
  /** The newest swaps of a pool, newest first. */
  listNewestSwaps(pool: Address, limit: number): Promise<readonly PoolSwap[]>
}

/** An hour of a pool in which something happened. Prices are sqrtPriceX96, volumes absolute amounts in smallest units. */
export type PoolHour = Pick<
  PoolPeriod,
  'pool' | 'startSeconds' | 'sqrtPriceX96' | 'open' | 'high' | 'low' | 'volume0' | 'volume1' | 'swapCount'
> & {
  /** US dollars x 10^18, each swap at the prices of its moment; absent when the history does not tell them. */
  readonly volumeUsdE18?: bigint
}

/** A swap as a history tells it. Amounts in smallest units, positive into the pool; the price is the one it left. */
export type PoolSwap = Pick<
  Swap,
  'pool' | 'txHash' | 'logIndex' | 'timestampSeconds' | 'sender' | 'recipient' | 'amount0' | 'amount1' | 'sqrtPriceX96'
> & {
  /** US dollars x 10^18 when it happened, which no later price changes; 0 where nothing had a price, undefined when not told. */
  readonly usdE18: bigint | undefined
}
