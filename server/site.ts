import type { Address } from '@chainboard/core'
import type { MarketNews, ServersStatus } from './api/deps.ts'
import type { SharedStreams } from './api/v1/stream/readers.ts'
import type { Boosts } from './boosts/boosts.ts'
import type { FollowStatus } from './indexer/followChain.ts'
import type { SnapshotKeeper } from './market/keepSnapshot.ts'
import type { ListStatus, LiveList } from './market/liveList.ts'
import type { RecentMarkets } from './market/recentMarkets.ts'
import type { PoolHistory } from './market/source.ts'
import type { Market } from './openMarket.ts'

/** What routes answer from: worked out by this server, or by the leader of several. */
export type Site = Pick<Market, 'index' | 'poolVolumes' | 'sources' | 'creditsSpent' | 'answerCmcListed' | 'answerCmcDex'> &
  Pick<MarketNews, 'watchIndex' | 'told'> & {
    readonly list: Pick<LiveList, 'current' | 'find' | 'holdOf'>
    readonly listStatus: () => ListStatus
    /** Features these tokens in place of what the files say, whichever server leads; undefined: as the files say. */
    readonly putFeatured: (tokens: readonly Address[] | undefined) => void
    /** Reads the list of the web now. @returns false where there is none, or another server leads */
    readonly reloadList: () => boolean
    readonly snapshots: Pick<SnapshotKeeper, 'current' | 'watch'>
    readonly recent: Pick<RecentMarkets, 'find'>
    readonly history: PoolHistory
    readonly boosts: Boosts
    readonly followStatus: () => FollowStatus
    readonly servers?: () => ServersStatus
    readonly sharedStreams?: SharedStreams
    /** Whether a replica of the database is near enough to answer GraphQL; absent: there is none. */
    readonly hasNearReplica?: (() => boolean) | undefined
    /** Resolves when the index has caught up with the chain for the first time, and the market was taken from it. */
    readonly full: Promise<void>
    /** Begins to follow the chain, or the leader. Resolves when there is something to answer from. */
    begin(): Promise<void>
    /** Whether this server does what one of all does. */
    isLeading(): boolean
    /** Lets another server lead from now on. */
    resign(): Promise<void>
    stop(): Promise<void>
  }
