import type { Boosts } from './boosts/boosts.ts'
import type { Config } from './config.ts'
import type { FollowStatus, IndexChange } from './indexer/followChain.ts'
import type { Snapshot } from './market/takeSnapshot.ts'
import type { ListedToken } from './market/tokenList.ts'
import { toWrapped } from './networkFile.ts'
import type { Base } from './openBase.ts'
import { openBoosts } from './openBoosts.ts'
import { type Following, openFollowing } from './openFollowing.ts'
import { type Market, openMarket } from './openMarket.ts'
import { openTokenList, type ServerList } from './openTokenList.ts'
import { openWarnings } from './openWarnings.ts'
import { createIndexSwitch, type IndexSwitch } from './store/indexSwitch.ts'
import { findKnownScope } from './toScope.ts'

export type LeadParts = Pick<Base, 'given' | 'chain' | 'store' | 'requestStore' | 'log'> & {
  /** Ends calls under way when the server stops. */
  readonly signal: AbortSignal
  /** What the leader before had listed; absent: there was none. */
  readonly listedBefore?: readonly ListedToken[] | undefined
  /** What the leader before published last; absent: nothing. */
  readonly publishedBefore?: Snapshot | undefined
}

/** What one server of a database does: it follows the chain and the boosts, and asks the sources of prices. */
export type Lead = {
  readonly list: ServerList
  readonly market: Market
  readonly boosts: Boosts
  /** The index that answers. */
  readonly served: IndexSwitch
  readonly followStatus: () => FollowStatus
  readonly watchIndex: (listener: (change: IndexChange) => void) => () => void
  /** Resolves when the index has caught up for the first time, and the market was taken from it; without an index, when a subgraph has answered. */
  readonly full: Promise<void>
  /** Begins to follow the chain and to ask sources. */
  begin(): void
  stop(): Promise<void>
}

/** Opens it all, and takes a first market from what is stored. @throws Failure of the store */
export async function openLead(
  config: Config,
  { given, chain, store, requestStore, log, signal: stopping, listedBefore, publishedBefore }: LeadParts,
): Promise<Lead> {
  const list = openTokenList(config, listedBefore)
  const indexes = config.network.index.pools !== 'none'
  if (indexes) list.noteScope(await findKnownScope(config, store), undefined)
  const full = Promise.withResolvers<void>()
  const ending = new AbortController()
  const warnings = openWarnings(list, () => Date.now(), toWrapped(config.network))
  const served = createIndexSwitch({ store, sinceSeconds: undefined })
  let following: Following | undefined
  let listFiles: { stop(): Promise<void> } | undefined
  const market = await openMarket(config, store, log, {
    onReading: () => {
      if (!indexes && market.subgraphStatus().complete) full.resolve()
    },
    ...{
      signal: AbortSignal.any([ending.signal, stopping]),
      learned: warnings,
      before: publishedBefore,
      list,
      served,
      openChain: () => chain,
    },
    headSeconds: () => following?.status()?.headAtSeconds,
  })
  const boosts = await openBoosts(config, { chain, given, store: requestStore, log })
  const listeners = new Set<(change: IndexChange) => void>()
  return {
    ...{ list, market, boosts, served, full: full.promise },
    followStatus: () => following?.status() ?? market.subgraphStatus(),
    watchIndex: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    begin: () => {
      following = openFollowing(config, {
        ...{ base: { given, chain, store, log, list }, market, warnings, served },
        onChange: (change) => {
          for (const listener of listeners) listener(change)
          void market.snapshots.refresh({ urgent: change.caughtUp }).then(() => change.caughtUp && full.resolve())
        },
      })
      market.start()
      listFiles = list.follow({ chain, log })
    },
    stop: async () => {
      ending.abort()
      await listFiles?.stop()
      await following?.stop()
      await boosts.stop()
      await market.stop()
    },
  }
}
