import type { Address } from '@chainboard/core'
import type { Accounts } from '../accounts/createAccounts.ts'
import type { SignInMethods } from '../accounts/methods/createSignInMethods.ts'
import type { Boosts } from '../boosts/boosts.ts'
import type { Gateway } from '../gateway/createGateway.ts'
import type { FollowStatus } from '../indexer/followChain.ts'
import type { Keys } from '../keys/createKeys.ts'
import type { KeyGate } from '../keys/keyGate.ts'
import type { CmcWords } from '../market/cmc/cmcWords.ts'
import type { History } from '../market/keepHistory.ts'
import type { ListStatus } from '../market/liveList.ts'
import type { KeptSource } from '../market/pollSource.ts'
import type { BoardPool, DepthInUsd } from '../market/poolBoard.ts'
import type { FeedFilter, FeedSwap } from '../market/swapFeed.ts'
import type { Snapshot } from '../market/takeSnapshot.ts'
import type { TokenBoard } from '../market/tokenBoard.ts'
import type { ListedToken } from '../market/tokenList.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import type { AlertCounts } from '../operators/alertLog.ts'
import type { Operators } from '../operators/createOperators.ts'
import type { SiteEdits } from '../operators/siteEdits.ts'
import type { Portfolio } from '../portfolio/createPortfolio.ts'
import type { SiteAddress } from './isSameOrigin.ts'
import type { Receipts } from './receiptRoute.ts'
import type { SubgraphRouteDeps } from './subgraphRoute.ts'
import type { IndexMove } from './v1/stream/priceFeed.ts'
import type { ToldEvent } from './v1/stream/priceStream.ts'
import type { SharedStreams } from './v1/stream/readers.ts'

// Groups of what routes take. Each route names those that it uses; `createApp.ts` alone has all of them.

/** Our clock. */
export type Clock = { readonly nowSeconds: () => number }

/** The network file, and the name that its folder of logos goes by. */
export type Network = { readonly network: NetworkFile; readonly networkName: string }

/** Where people reach the site. `origin`: `https://board.example`, also where `PUBLIC_URL` does not say so. */
export type Site = SiteAddress & { readonly origin: string }

/** The market at the newest block. */
export type Market = { readonly snapshot: () => Snapshot }

/** Its tokens in lists: all, ordered and found, and those the operator features. */
export type TokenLists = { readonly board: () => TokenBoard; readonly highlighted: () => readonly ListedToken[] }

/** Charts and swaps of a token. */
export type Charts = Pick<History, 'readChart' | 'readSwaps' | 'readSparkline'>

/** Swaps of all pools: pages of them, and all that a file has. */
export type SwapFeeds = Pick<History, 'readFeed'> & {
  readonly streamFeed: (filter: FeedFilter) => AsyncIterable<readonly FeedSwap[]>
}

/** The pools of the exchange. */
export type Pools = Pick<History, 'readPools'> & {
  readonly readDepths: (pools: readonly BoardPool[]) => Promise<ReadonlyMap<Address, DepthInUsd>>
}

/** Pages of a token's candles. */
export type Candles = Pick<History, 'readCandles'>

/** Figures of a token over spans of time. */
export type Windows = Pick<History, 'readWindows'>

/** News of the market and of the index. Each calls `listener` until the function that it returns is called. */
export type MarketNews = {
  /** After every new snapshot. */
  readonly watchSnapshots: (listener: () => void) => () => void
  /**
   * At every move of the index, before the snapshot that follows from it. Where the row of price events is that of all servers (`told`): within
   * about a second of each time that the chain was taken back, or may have been.
   */
  readonly watchIndex: (listener: (move: IndexMove) => void) => () => void
  /**
   * Price events of the row that all servers tell, where there are several: the last minutes' at once, others as they come, each after
   * the snapshot that it is of. Absent: this server makes its own.
   */
  readonly told?: { readonly run: string; watch(listener: (events: readonly ToldEvent[]) => void): () => void } | undefined
}

/** How far the chain has been followed. */
export type Following = { readonly followStatus: () => FollowStatus }

/** What became of the newest token list. */
export type ListNews = { readonly listStatus: () => ListStatus }

/** The sources of prices in use. */
export type Sources = {
  readonly sources: () => readonly KeptSource[]
  /** Credits of the UTC month that CoinMarketCap was asked for; undefined when it is not asked. */
  readonly creditsSpent: () => number | undefined
}

/** What CoinMarketCap last answered, in its own words. */
export type CmcAnswers = {
  readonly answerCmcListed: (slug: string) => CmcWords
  readonly answerCmcDex: (pool: string, network: string) => CmcWords
}

/** How this server stands to the others on its database. */
export type ServersStatus = {
  /** The epoch in which this server leads; undefined: it does not. */
  readonly leadsInEpoch: number | undefined
  /** The epoch of the board, and its number in the row of all; 0 before the first. */
  readonly epoch: number
  readonly sequence: number
  /** Seconds since this server has it; undefined before the first. */
  readonly ageSeconds: number | undefined
  /** Seconds since the leader last said how it stands; undefined before its first word. */
  readonly stateAgeSeconds: number | undefined
}

/** Absent: no other server may be on the database. */
export type Servers = {
  readonly servers?: (() => ServersStatus) | undefined
  readonly sharedStreams?: SharedStreams | undefined
}

/** The node, for calls that are allowed to anybody. */
export type NodeGate = { readonly gateway: Gateway }

/** Runs a query that touches the database; throws when it cannot. */
export type StoreProbe = { readonly pingStore: () => Promise<void> }

/** Unusual acts of operators since the start. */
export type OperatorNews = { readonly operatorAlerts: () => AlertCounts }

/** What the operators' console shows beside the state of the index. Times are unix seconds. */
export type SiteFacts = {
  /** In the order of `RPC_URL`. `host`: without the path, where keys stand. */
  readonly nodes: () => readonly {
    readonly host: string
    readonly answered: number
    readonly failed: number
    readonly outrun: number
  }[]
  readonly readStorage: () => Promise<{
    readonly engine: 'sqlite' | 'postgres'
    readonly bytes: number | undefined
    readonly freeBytes: number | undefined
  }>
  readonly server: { readonly version: string; readonly startedAtSeconds: number }
  /** Reads the token list of the web now. @returns whether there is one */
  readonly reloadList: () => boolean
}

/** All that the HTTP side takes: functions of the stages, wired in `startServer.ts`. No route gets it whole. */
export type ApiDeps = Network &
  Site &
  Market &
  TokenLists &
  Charts &
  SwapFeeds &
  Pools &
  Windows &
  Candles &
  MarketNews &
  Following &
  ListNews &
  Sources &
  CmcAnswers &
  NodeGate &
  StoreProbe &
  OperatorNews &
  SubgraphRouteDeps &
  Servers &
  Clock & {
    readonly accounts: Accounts
    readonly signInMethods: SignInMethods
    readonly receipts: Receipts
    readonly boosts: Boosts
    readonly portfolio: Portfolio
    /** Who may ask the price API how often. */
    readonly keyGate: KeyGate
    readonly keys: Keys
    readonly operators: Operators
    readonly siteFacts: SiteFacts
    readonly siteEdits: SiteEdits
  }
