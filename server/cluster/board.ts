import type { Address } from '@chainboard/core'
import type { FollowStatus } from '../indexer/followChain.ts'
import type { CmcDesk } from '../market/cmc/cmcDesk.ts'
import type { Hold, ListStatus } from '../market/liveList.ts'
import type { KeptSource } from '../market/pollSource.ts'
import type { Snapshot } from '../market/takeSnapshot.ts'
import type { TokenList } from '../market/tokenList.ts'

/** What all servers answer from, as the leader worked it out at one moment. */
export type Board = {
  readonly snapshot: Snapshot
  /** The list that the snapshot is of. */
  readonly list: TokenList
  /** What the index holds of listed tokens; of one that is not named, everything. */
  readonly holds: ReadonlyMap<Address, Hold>
  readonly cmc: CmcDesk
}

/** A change of prices as readers of the stream are told of it. */
export type BoardEvent = {
  /** In the row of all events of this database, from 1, without a gap. */
  readonly place: number
  readonly name: 'price' | 'retracted'
  /** Whom it is about. */
  readonly addresses: readonly Address[]
  /** The block that the price changed at, or that the chain was taken back to; undefined: none, or the price is not of the chain. */
  readonly block: number | undefined
  /** Its data, written. */
  readonly json: string
}

/** A board with its number in the row of all, and the events that come with it. */
export type Publication = {
  readonly seq: number
  readonly epoch: number
  readonly board: Board
  readonly events: readonly BoardEvent[]
}

/** What is known of boosts. */
export type BoostState = {
  readonly expirations: ReadonlyMap<Address, number>
  readonly isKnown: boolean
  readonly leadSeconds: number
  readonly pausedAtSeconds: number | undefined
  readonly answeredAtMs: number | undefined
  readonly doubts: number
  readonly repairs: number
}

/** How the leader stands. Times of its clock are told with `nowMs`, its clock when it wrote this. */
export type LeaderState = {
  readonly nowMs: number
  readonly follow: FollowStatus
  readonly sources: readonly KeptSource[]
  readonly creditsSpent: number | undefined
  readonly list: ListStatus
  readonly boosts: BoostState
  /**
   * Rises when the chain was taken back, and with each new leader: nobody knows whether the one before told of its last. It only says that
   * something was.
   */
  readonly rollbacks: number
  /** Whether the index has caught up, and the market was taken from it. */
  readonly isFull: boolean
}
