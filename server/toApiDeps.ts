import type { ApiDeps } from './api/deps.ts'
import type { Config } from './config.ts'
import { readCandles } from './market/candles/readCandles.ts'
import { type History, keepHistory } from './market/keepHistory.ts'
import { readDepths, readPoolBoard } from './market/poolBoard.ts'
import { readChart } from './market/readChart.ts'
import { readSwaps } from './market/readSwaps.ts'
import { readSwapFeed, streamSwapFeed } from './market/swapFeed.ts'
import { keepTokenBoard } from './market/tokenBoard.ts'
import { readTokenWindows } from './market/tokenWindows.ts'
import { withoutUnvalued } from './market/withoutUnvalued.ts'
import { toValuation } from './networkFile.ts'
import type { Base } from './openBase.ts'
import { openGateway, openGatewayChain } from './openGateway.ts'
import type { Graph } from './openGraph.ts'
import { openPortfolio, openStakeChain } from './openPortfolio.ts'
import { openReceipts } from './openReceipts.ts'
import type { OpenSiteEdits } from './openSiteEdits.ts'
import { openSiteFacts } from './openSiteFacts.ts'
import type { Site } from './site.ts'

type Parts = { readonly base: Base; readonly graph: Graph; readonly site: Site; readonly edits: OpenSiteEdits }

/** What the routes are given. */
export function toApiDeps(config: Config, parts: Parts): ApiDeps {
  const { base, site } = parts
  const { given, chain, requestStore } = base
  const { list, snapshots } = site
  const history = openHistory(config, site)
  const gateway = openGateway(config.network, given ?? openGatewayChain(config.rpcUrls), () => site.followStatus().head)
  site.watchIndex(({ rolledBack }) => rolledBack && gateway.forget())
  return {
    network: config.network,
    networkName: config.networkName,
    domain: config.domain,
    origin: config.origin,
    publicOrigin: config.publicOrigin,
    accounts: base.users.accounts,
    signInMethods: base.users.signInMethods,
    highlighted: () => list.current().highlighted,
    listStatus: site.listStatus,
    snapshot: snapshots.current,
    board: keepTokenBoard(snapshots.current),
    watchSnapshots: snapshots.watch,
    watchIndex: site.watchIndex,
    told: site.told,
    servers: site.servers,
    sharedStreams: site.sharedStreams,
    readChart: history.readChart,
    readSwaps: history.readSwaps,
    readSparkline: history.readSparkline,
    readFeed: history.readFeed,
    streamFeed: (filter) => streamSwapFeed(site.index, filter),
    readWindows: history.readWindows,
    readCandles: history.readCandles,
    readPools: history.readPools,
    readDepths: (pools) => readDepths(site.index, pools),
    followStatus: site.followStatus,
    sources: site.sources,
    creditsSpent: site.creditsSpent,
    answerCmcListed: site.answerCmcListed,
    answerCmcDex: site.answerCmcDex,
    answerGraph: parts.graph.answer,
    receipts: openReceipts(config, { store: requestStore, chain, recent: site.recent, list }),
    boosts: site.boosts,
    portfolio: openPortfolio(config, { chain, stakeChain: given ?? openStakeChain(config.rpcUrls), list }),
    keyGate: base.keys.gate,
    keys: base.keys.keys,
    operators: base.operators.operators,
    operatorAlerts: base.operators.alertCounts,
    siteFacts: openSiteFacts(config, base, site),
    siteEdits: parts.edits.siteEdits,
    gateway,
    pingStore: base.store.ping,
    nowSeconds: () => Date.now() / 1000,
  }
}

/** Charts and swaps of the market; of a token whose newest blocks alone are valued, without the rest. */
function openHistory({ network }: Config, { list, history, snapshots, index, poolVolumes }: Site): History {
  const { windowSeconds, stables, wrappedNative, quotes } = toValuation(network)
  return keepHistory(
    {
      readChart: (token, range) => {
        const isValued = list.holdOf(token.token.id) !== 'newest'
        return readChart(isValued ? history : withoutUnvalued(history), snapshots.current(), token, range)
      },
      readCandles: (token, request) =>
        readCandles(
          {
            ...{ history, index, windowSeconds, snapshot: snapshots.current() },
            isNewestOnly: list.holdOf(token.token.id) === 'newest',
          },
          token,
          request,
        ),
      readSwaps: (pool, limit) => readSwaps(history, pool, limit),
      readFeed: (request) => readSwapFeed(index, request),
      readWindows: (token) => readTokenWindows(index, token, { windowSeconds }),
      readPools: () =>
        readPoolBoard(index, {
          findListed: (token) => {
            const found = snapshots.current().byToken.get(token)
            return found && { usdE18: found.quote?.usdE18 }
          },
          quotes: new Set([...stables, wrappedNative, ...quotes]),
          volumes: poolVolumes(),
        }),
    },
    snapshots.current,
  )
}
