import type { ApiDeps } from './api/deps.ts'
import type { Boosts } from './boosts/boosts.ts'
import type { Config } from './config.ts'
import type { IndexChange } from './indexer/followChain.ts'
import { type History, keepHistory } from './market/keepHistory.ts'
import { readChart } from './market/readChart.ts'
import { readSwaps } from './market/readSwaps.ts'
import { keepTokenBoard } from './market/tokenBoard.ts'
import { withoutUnvalued } from './market/withoutUnvalued.ts'
import type { Base } from './openBase.ts'
import type { Following } from './openFollowing.ts'
import { openGateway, openGatewayChain } from './openGateway.ts'
import type { Graph } from './openGraph.ts'
import type { Market } from './openMarket.ts'
import { openPortfolio, openStakeChain } from './openPortfolio.ts'
import { openReceipts } from './openReceipts.ts'

type Parts = {
  readonly base: Base
  readonly market: Market
  readonly graph: Graph
  readonly boosts: Boosts
  readonly indexListeners: Set<(change: IndexChange) => void>
  /** Absent until what follows the chain is open. */
  readonly opened: { readonly following?: Following }
}

/** What the routes are given. */
export function toApiDeps(config: Config, parts: Parts): ApiDeps {
  const { base, market, indexListeners, opened } = parts
  const { given, list, chain, requestStore } = base
  const { snapshots } = market
  const history = openHistory(base, market)
  return {
    network: config.network,
    networkName: config.networkName,
    domain: config.domain,
    origin: config.origin,
    publicOrigin: config.publicOrigin,
    accounts: base.users.accounts,
    highlighted: () => list.current().highlighted,
    listStatus: list.status,
    snapshot: snapshots.current,
    board: keepTokenBoard(snapshots.current),
    watchSnapshots: snapshots.watch,
    watchIndex: (listener) => {
      indexListeners.add(listener)
      return () => void indexListeners.delete(listener)
    },
    readChart: history.readChart,
    readSwaps: history.readSwaps,
    followStatus: () => opened.following?.status() ?? market.subgraphStatus(),
    sources: market.sources,
    creditsSpent: market.creditsSpent,
    answerCmcListed: market.answerCmcListed,
    answerCmcDex: market.answerCmcDex,
    answerGraph: parts.graph.answer,
    receipts: openReceipts(config, { store: requestStore, chain, recent: market.recent, list }),
    boosts: parts.boosts,
    portfolio: openPortfolio(config, { chain, stakeChain: given ?? openStakeChain(config.rpcUrls), list }),
    keyGate: base.keys.gate,
    keys: base.keys.keys,
    forwardRpc: openGateway(given ?? openGatewayChain(config.rpcUrls)),
    pingStore: base.store.ping,
    nowSeconds: () => Date.now() / 1000,
  }
}

/** Charts and swaps of the market; of a token whose newest blocks alone are valued, without the rest. */
function openHistory({ list }: Base, { history, snapshots }: Market): History {
  return keepHistory(
    {
      readChart: (token, range) => {
        const isValued = list.holdOf(token.token.id) !== 'newest'
        return readChart(isValued ? history : withoutUnvalued(history), snapshots.current(), token, range)
      },
      readSwaps: (pool, limit) => readSwaps(history, pool, limit),
    },
    snapshots.current,
  )
}
