// What the server's own routes answer, as JSON. Money is a `number` of US dollars here and nowhere else.

import type { WireBoostInfo } from './boostWire.ts'

/** Whether a price can be relied on: `stale` keeps the last good value, `unpriced` is 0 on the wire and N/A on screen. */
export type PriceStatus = 'priced' | 'stale' | 'unpriced'

/**
 * What can be wrong with a token, whatever its price. `lookalike`: it is named like a verified one. `cannot-sell`, `sell-tax`: what a
 * simulated sale came to. `pool-short`: its pool has less of it than it was given. `off-peg`: a stable coin that is not worth a dollar. `supply-contradicts`: the list says another supply than
 * the chain. `supply-changed`: by much, within a day. `decimals-changed`: its contract says others than before.
 */
export const warningCodes = [
  'lookalike',
  'cannot-sell',
  'sell-tax',
  'pool-short',
  'off-peg',
  'supply-contradicts',
  'supply-changed',
  'decimals-changed',
  'one-provider',
] as const

export type WarningCode = (typeof warningCodes)[number]

/** `text` is one sentence or two, with the evidence in figures. Names of tokens in it are harmless text. */
export type WireWarning = { readonly code: WarningCode; readonly text: string }

/** The pool of a token, as the token list names it or as the index found it. `feeTier` is in millionths (3000 = 0.3 %). */
export type WirePriceInfo = {
  readonly usdPrice: number
  readonly poolAddress: string
  readonly baseToken: { readonly symbol: string }
  readonly feeTier: number
}

/** One token of `/assets.json`: the list's own fields, then what the market computed. */
export type WireToken = {
  readonly name: string
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  /** Path on this server, or an https URL. */
  readonly logo: string
  readonly category: string
  readonly verified: boolean
  /** Whole tokens: the list's, else all there are on the chain; 0 when neither is known. */
  readonly supply: number
  readonly stakingContract?: string
  readonly website?: string
  readonly X?: string
  readonly telegram?: string
  readonly cmcUrl?: string
  readonly coingeckoUrl?: string
  /** ISO 8601 date until which the liquidity is locked. */
  readonly lockTimer?: string
  readonly lockUrl?: string
  /** Absent when the token is not boosted. */
  readonly boostInfo?: WireBoostInfo
  readonly priceInfo?: WirePriceInfo

  /** US dollars per whole token, the median of the last minutes; 0 when `priceStatus` is `unpriced`. */
  readonly priceInUsd: number
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
  /** Percent; 0 when unpriced, `null` when there is no price that old. */
  readonly priceChange24h: number | null
  readonly priceChange7d: number | null
  /** US dollars traded in the last 24 hours in all pools of the token; `null` while not all of these hours are read. */
  readonly volume24h: number | null
  /** The part of it by which wallets changed their positions and paid fees to others; `null` while nothing is known of it. */
  readonly organicVolume24h: number | null
  /** 0 to 1: the part of `volume24h` that was looked at for it; the rest counts nothing. */
  readonly organicCoverage: number
  /** US dollars: price x supply. */
  readonly fdmc: number
  readonly marketCap: number
  /** Place by `fdmc`, from 1. */
  readonly rank: number
  readonly priceStatus: PriceStatus
  /** `cmcListed`, `cmcDex`, `subgraph` or `index`; `null` when unpriced. */
  readonly priceSource: string | null
  /** Why the price is missing or weak, in words; empty when nothing is to be said. */
  readonly priceReasons: string[]
  /** Unix seconds of the moment the price is of; `null` when unpriced. */
  readonly priceAsOf: number | null
  /** 0 to 1, from depth, age and how far prices lie apart; 0 when unpriced. */
  readonly confidence: number
  /** What is wrong with the token itself; empty when nothing is known. */
  readonly warnings: WireWarning[]
}

/** A token of `/api/trending`. */
export type WireTrendingToken = WireToken & {
  /** US dollars in fees that reaching this token's organic volume costs at the least; `null` where gross volume counts. */
  readonly costOfPlaceUsd: number | null
}

/** One swap of a token's pool, newest first in lists. Amounts are decimal strings in whole tokens; positive went into the pool. */
export type WireSwap = {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly amount0: string
  readonly amount1: string
  readonly sender: string
  readonly recipient: string
  readonly transaction: { readonly id: string }
  readonly pool: { readonly token0: { readonly id: string }; readonly token1: { readonly id: string } }
  readonly type: 'buy' | 'sell'
  /** Whole tokens that changed hands. */
  readonly tokenAmount: number
  /** US dollars at the time of the swap; `null` when the other side had no price. */
  readonly usdValue: number | null
  /** Percent by which this swap moved the pool's price of the token; `null` for the first swap of a pool. */
  readonly priceImpact: number | null
  /** US dollars per whole token after the swap; `null` when the other side had no price. */
  readonly tokenPriceAtSwap: number | null
  /** Percent against the swap before it in the same pool, in US dollars. */
  readonly percentChangeFromPrevious: number | null
}

/** `time` is the unix second at which the hour (or, for `1m`, the first of the 24 hours averaged) begins. */
export type WireChartPoint = { readonly time: number; readonly price: number }

/** Prices in US dollars per whole token. Hours without a trade are not in this list. */
export type WireCandle = {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volumeUsd: number
}

/** Answer of `/api/tokens/{address}/chart`. `reason` says why `points` is empty. */
export type WireChart = {
  readonly points: WireChartPoint[]
  readonly candles?: WireCandle[]
  readonly reason?: string
}

/**
 * Answer of `/api/wallets/{address}/balance`, at the end of one block. `tokenAddress` is `native` for the coin, else a checksummed
 * address; `balance` is whole tokens, exactly. What the wallet has nothing of is left out, and so is a token that does not answer.
 */
export type WireBalances = {
  readonly block: number
  readonly tokens: { readonly tokenAddress: string; readonly balance: string }[]
}

/** Answer of `/api/staking/{stakingContract}/{walletAddress}`: whole tokens, exactly. */
export type WireStake = { readonly totalAmount: string }

/** Answer of `/api/config`. URL templates carry `{address}` or `{hash}`. */
export type WireConfig = {
  readonly siteName: string
  readonly domain: string
  readonly chain: {
    readonly id: number
    readonly name: string
    readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
    readonly rpcUrl: string
  }
  readonly wrappedNative: { readonly address: string; readonly symbol: string }
  readonly usdc: { readonly address: string; readonly decimals: number }
  /** By which rules prices are made of pools, as in each receipt; `null` where the server has no index. */
  readonly prices: WirePriceRules | null
  /** Where boosts are paid; `null` where the chain has no boost contract. */
  readonly boost: { readonly contract: string } | null
  readonly links: { readonly label: string; readonly url: string }[]
  /** Who sells keys of the price API, and helps with it. */
  readonly contact: { readonly email: string | null; readonly chatUrl: string | null }
  readonly explorer: { readonly txUrl: string; readonly addressUrl: string } | null
  /** `null` where the exchange has no such page. */
  readonly dex: { readonly name: string; readonly swapUrl: string | null; readonly poolUrl: string | null }
  /** `logo` is a path on this server; `null` for the product's own mark. */
  readonly brand: { readonly accentDark: string; readonly accentLight: string; readonly logo: string | null }
  /** Wallets that anybody may use: on a local test chain alone. */
  readonly demoWallets: { readonly name: string; readonly privateKey: string }[]
}

/** What prices of pools follow from. `pools`: the index has all of the exchange's, or those of listed tokens. */
export type WirePriceRules = {
  readonly factory: string
  readonly windowSeconds: number
  readonly stables: string[]
  readonly wrappedNative: string
  readonly quotes: string[]
  readonly depthFloorUsd: string
  readonly pools: 'all' | 'listed'
}

/** Answer of `/api/status`: how fresh the data behind every other answer is, and which token list it is of. */
export type WireSiteStatus = WireStatus & { readonly tokenList: WireListStatus }

/** Times are unix seconds. */
export type WireListStatus = {
  /** Tokens that are shown. */
  readonly tokens: number
  /** When the list was taken. */
  readonly takenAt: number
  /** Why the newest list was not; `null` when it was. */
  readonly refused: WireListRefusal | null
  /** Added tokens that figures may be missing of, as the index does not have all of their pools, or values them; `null`: there are none. */
  readonly beingRead: WireBeingRead | null
  /** The list of the web; `null`: there is none. `answeredAt`: `null` when it was not reached since the start. */
  readonly web: {
    readonly tokens: number
    readonly answeredAt: number | null
    readonly refused: WireListRefusal | null
    /** Tokens of it that are not taken, and why: how many, and the first 20. */
    readonly leftOut: Omit<WireListRefusal, 'since'>
  } | null
}

export type WireBeingRead = {
  readonly count: number
  /** The first 100. */
  readonly addresses: readonly string[]
  /** `waiting`: for the index, or for other tokens. `reading`: their pools' history. `valuing`: the pools are in, blocks are valued again. */
  readonly phase: 'waiting' | 'reading' | 'valuing'
  /** Blocks that are read or valued, of so many; `null` while it waits. */
  readonly blocksRead: number | null
  readonly blocks: number | null
}

export type WireListRefusal = {
  readonly since: number
  /** How many things are wrong; `problems` has the first 20. */
  readonly count: number
  readonly problems: readonly { readonly field: string; readonly found: string; readonly wanted: string }[]
}

/** How fresh the data is. */
export type WireStatus = {
  /** Last block in the index; `null` before the first one. */
  readonly block: number | null
  /** Unix seconds of that block. */
  readonly blockTime: number | null
  /** Seconds since the chain was last read successfully; `null` when it never was since the start. */
  readonly secondsSinceContact: number | null
  /** Blocks the chain is known to be ahead; `null` while the chain does not answer. */
  readonly lagBlocks: number | null
  readonly state: StatusState
  /** Why the data is not live, as a sentence; `null` while it is live or is being read. */
  readonly reason: string | null
  /** How far the chain has been read; `null` where all of it has, and in the first seconds. */
  readonly progress: WireProgress | null
  /**
   * Unix seconds from when on figures have every event, while the history before is still read; `null` where it is read, and while there are
   * no figures. Figures that need more are absent.
   */
  readonly completeSince: number | null
  /** Unix seconds before which swaps, and hours of pools and tokens, are no longer kept; `null`: all are. */
  readonly swapsKeptSince: number | null
  readonly hoursKeptSince: number | null
}

/**
 * What is read now: what prices of now need, then the last day, then the last 31 days, then all before. Each has its own percent and time
 * left.
 */
export const readingPhases = ['prices', 'day', 'month', 'history'] as const

export type WireProgress = {
  readonly phase: (typeof readingPhases)[number]
  /** Of the blocks of the phase, rounded down. */
  readonly percent: number
  /** Of the last five minutes. */
  readonly blocksPerSecond: number
  readonly eventsPerSecond: number
  /** Until the phase ends at this pace. */
  readonly secondsLeft: number
}

/**
 * `live`: the newest block is in the index, and is as young as this chain's blocks usually are. `syncing`: blocks are being
 * read. `stalled`: the chain makes no blocks. `disconnected`: the node does not answer. `wrong-chain`, `node-behind`: it is on
 * another chain, or ends before the index. `disputed`: it contradicts the index too deeply to be believed alone.
 * `unverified`: what it said does not fit itself or the contracts. `storage-failing`: the database fails. `failing`: an error of the server, which it tries to get over.
 */
export const statusStates = [
  'live',
  'syncing',
  'stalled',
  'disconnected',
  'wrong-chain',
  'node-behind',
  'disputed',
  'unverified',
  'storage-failing',
  'failing',
] as const

export type StatusState = (typeof statusStates)[number]
