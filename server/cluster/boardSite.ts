import { type Boosts, noExpirations } from '../boosts/boosts.ts'
import type { FollowStatus } from '../indexer/followChain.ts'
import type { ListStatus } from '../market/liveList.ts'
import type { KeptSource } from '../market/pollSource.ts'
import type { LeaderState } from './board.ts'
import type { BoardKeeper } from './boardKeeper.ts'

/** What the leader said of boosts is told for so long while it says nothing, as a leader does while the contract does not answer. */
const boostsKeptMs = 30_000

type Parts = {
  readonly keeper: BoardKeeper
  /** This server's own state while it leads. */
  readonly own: () => LeaderState | undefined
  /** Whether the network has a boost contract. */
  readonly hasBoosts: boolean
  readonly listPayments: Boosts['listPayments']
  /** What is said of the list before the leader's first word. */
  readonly listStatus: () => ListStatus
}

/** What routes are told of the chain, the sources and the boosts: how the leader stands, whichever server it is. */
export function readBoardSite({ keeper, own, hasBoosts, listPayments, listStatus }: Parts) {
  const state = () => own() ?? keeper.state()
  const silentMs = () => (own() ? undefined : keeper.silentMs())
  // Asked for each token of a list: what the leader told last is at hand, on the leader, too.
  const told = () => keeper.state()?.boosts
  const isBoostsKnown = () => {
    return (told()?.isKnown ?? !hasBoosts) && (keeper.silentMs() ?? 0) <= boostsKeptMs
  }
  const boosts: Boosts = {
    expirations: () => (isBoostsKnown() ? (told()?.expirations ?? noExpirations) : noExpirations),
    isKnown: isBoostsKnown,
    listPayments,
    answeredAtMs: () => told()?.answeredAtMs,
    leadSeconds: () => told()?.leadSeconds ?? 0,
    pausedAtSeconds: () => told()?.pausedAtSeconds,
    doubts: () => told()?.doubts ?? 0,
    repairs: () => told()?.repairs ?? 0,
  }
  return {
    boosts,
    followStatus: (): FollowStatus => {
      const follow = state()?.follow ?? nothingYet
      const silent = silentMs()
      if (silent === undefined) return follow
      const text = 'No server follows the chain at the moment'
      return { ...follow, trouble: { kind: 'node', text, sinceMs: Date.now() - silent } }
    },
    sources: (): readonly KeptSource[] => state()?.sources ?? [],
    creditsSpent: () => state()?.creditsSpent,
    listStatus: () => state()?.list ?? listStatus(),
  }
}

const nothingYet: FollowStatus = {
  ...{ cursor: undefined, head: undefined, headAtSeconds: undefined, longestGapSeconds: undefined, contactAtMs: undefined },
  ...{ trouble: undefined, complete: false, faults: 0 },
}
