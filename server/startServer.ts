import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, type Failure, toLoggedError } from '@chainboard/core'
import type { FastifyInstance } from 'fastify'
import { createApp } from './api/createApp.ts'
import type { ApiDeps } from './api/deps.ts'
import type { DrainTimes } from './api/health/drain.ts'
import { createHealth } from './api/health/health.ts'
import { openProbes, type Probes } from './api/health/openProbes.ts'
import type { Chain } from './chain/chain.ts'
import { createNodeCalls } from './chain/nodeCalls.ts'
import { createTransactionReader } from './chain/readTransactions.ts'
import { toRecallingChain } from './chain/recallingChain.ts'
import { createViemChain } from './chain/viemChain.ts'
import type { Config } from './config.ts'
import { createGraphServer, type GraphServer } from './graph/graphServer.ts'
import { createSenderReader } from './graph/readSenders.ts'
import type { IndexChange } from './indexer/followChain.ts'
import { followSupplies } from './indexer/followSupplies.ts'
import { keepRetention } from './indexer/keepRetention.ts'
import { keepRevaluing } from './indexer/keepRevaluing.ts'
import { wantsPool } from './indexer/settleScope.ts'
import type { WorldHolder } from './indexer/worldHolder.ts'
import type { KeyGate } from './keys/keyGate.ts'
import { keepHistory } from './market/keepHistory.ts'
import type { SourceLog } from './market/pollSource.ts'
import { readChart } from './market/readChart.ts'
import { readSwaps } from './market/readSwaps.ts'
import { createTakingsReader } from './market/sales/protocolTakings.ts'
import { findSubgraphUrl } from './market/sources/subgraph/findSubgraphUrl.ts'
import { createSubgraphForward } from './market/subgraph/subgraphForward.ts'
import { keepTokenBoard } from './market/tokenBoard.ts'
import { withoutUnvalued } from './market/withoutUnvalued.ts'
import { toFollowing, toMulticall, toValuation, toWrapped } from './networkFile.ts'
import { openAccounts } from './openAccounts.ts'
import { openBoosts } from './openBoosts.ts'
import { openGateway, openGatewayChain } from './openGateway.ts'
import { openIndex, type ServerIndex } from './openIndex.ts'
import { openKeys } from './openKeys.ts'
import { openMarket } from './openMarket.ts'
import { openOrganic } from './openOrganic.ts'
import { openPortfolio, openStakeChain } from './openPortfolio.ts'
import { openReceipts } from './openReceipts.ts'
import { openTokenList } from './openTokenList.ts'
import { openWarnings } from './openWarnings.ts'
import { openWitness } from './openWitness.ts'
import { pause } from './pause.ts'
import { root } from './places.ts'
import { findFirstFeeProtocol } from './store/feeProtocols.ts'
import { createIndexSwitch } from './store/indexSwitch.ts'
import { findLeftWal, openServerStore } from './store/openStore.ts'
import { toRequestStore } from './store/requestStore.ts'
import { toListenFailure } from './toListenFailure.ts'
import { findKnownScope, toRevaluing } from './toScope.ts'

const webDir = join(root, 'web/dist')

export type Server = {
  readonly app: FastifyInstance
  readonly keyGate: KeyGate
  /** Where it listens. */
  readonly url: string
  /**
   * Resolves when the index has caught up with the chain for the first time and the market was taken from it; without an index,
   * when a subgraph has answered.
   */
  readonly full: Promise<void>
  /** Where `METRICS_PORT` is answered; undefined without one. */
  readonly probesUrl: string | undefined
  /** Turns readiness off, closes the listener a while later, and resolves when the answers under way are out. */
  readonly drain: (times: DrainTimes) => Promise<void>
  /** Ends every part in order, and what answers are still under way. */
  close(): Promise<void>
}

/**
 * The composition root: opens the store, follows the chain, keeps the market and listens. Up at once with what is stored,
 * whether the node answers or not.
 * @param given a chain for everything, instead of the nodes of the configuration
 * @param onLost called when the store is lost to this server, which must end: the failure says why
 */
export async function startServer(
  config: Config,
  given?: Chain,
  onLost: (failure: Failure) => void = () => undefined,
): Promise<Server> {
  const { network } = config
  const list = openTokenList(config)
  const nodeCalls = createNodeCalls(config.rpcUrls.length)
  const late: { app?: FastifyInstance; index?: ServerIndex } = {}
  const log = toLog(late)
  const onOtherHashes = (text: string) => log.warn({}, text)
  const chain = toRecallingChain(
    given ?? createViemChain(config.rpcUrls, { paced: true, onOutcome: nodeCalls.count, onOtherHashes }),
  )
  const indexListeners = new Set<(change: IndexChange) => void>()
  const lacksDatabase = 'file' in config.store && existsSync(config.pepper.file) && !existsSync(config.store.file)
  const store = await openServerStore(config.store, onLost)
  const requestStore = toRequestStore(store)
  const users = await openAccounts(config, { store, requestStore }, (err) =>
    log.warn({ err }, 'Expired sessions could not be removed'),
  ).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  if (lacksDatabase)
    log.warn(
      config.store,
      'Found a pepper but no database: starting with an empty site. If that is wrong, stop the server and restore a backup',
    )
  const keys = openKeys(config, {
    store: requestStore,
    chain,
    hashClient: (client) => users.keyedHash('quota', client),
    onTrouble: (err) => log.warn({ err }, 'Keys could not be refreshed'),
  })
  const indexes = network.index.pools !== 'none'
  if (indexes) list.noteScope(await findKnownScope(config, store), undefined)
  const full = Promise.withResolvers<void>()
  const ending = new AbortController()
  const onReading = () => {
    if (!indexes && market.subgraphStatus().complete) full.resolve()
  }
  const warnings = openWarnings(list, () => Date.now(), toWrapped(network))
  const served = createIndexSwitch({ store, sinceSeconds: undefined })
  const headSeconds = () => late.index?.status().headAtSeconds
  const market = await openMarket(config, store, log, {
    onReading,
    signal: ending.signal,
    learned: warnings,
    list,
    served,
    headSeconds,
    openChain: () => chain,
  })
  const keeper = market.snapshots
  const graph = openGraph(config, chain, log, ending.signal)
  const boosts = await openBoosts(config, { chain, given, store: requestStore, log })
  const history = keepHistory(
    {
      readChart: (token, range) => {
        const isValued = list.holdOf(token.token.id) !== 'newest'
        return readChart(isValued ? market.history : withoutUnvalued(market.history), keeper.current(), token, range)
      },
      readSwaps: (pool, limit) => readSwaps(market.history, pool, limit),
    },
    keeper.current,
  )
  const deps: ApiDeps = {
    network,
    networkName: config.networkName,
    domain: config.domain,
    origin: config.origin,
    publicOrigin: config.publicOrigin,
    accounts: users.accounts,
    highlighted: () => list.current().highlighted,
    listStatus: list.status,
    snapshot: keeper.current,
    board: keepTokenBoard(keeper.current),
    watchSnapshots: keeper.watch,
    watchIndex: (listener) => {
      indexListeners.add(listener)
      return () => void indexListeners.delete(listener)
    },
    readChart: history.readChart,
    readSwaps: history.readSwaps,
    followStatus: () => (index ? { ...index.status(), kept: retention?.kept() } : market.subgraphStatus()),
    sources: market.sources,
    creditsSpent: market.creditsSpent,
    answerCmcListed: market.answerCmcListed,
    answerCmcDex: market.answerCmcDex,
    answerGraph: graph.answer,
    receipts: openReceipts(config, { store: requestStore, chain, recent: market.recent, list }),
    boosts,
    portfolio: openPortfolio(config, { chain, stakeChain: given ?? openStakeChain(config.rpcUrls), list }),
    keyGate: keys.gate,
    keys: keys.keys,
    forwardRpc: openGateway(given ?? openGatewayChain(config.rpcUrls)),
    pingStore: store.ping,
    nowSeconds: () => Date.now() / 1000,
  }
  const health = createHealth(deps)
  health.metrics.watchNodes(nodeCalls.list)
  const app = await createApp(deps, { ...config, webDir, tellsFigures: config.metricsPort === undefined }, health)
  late.app = app
  // A given chain is a test's: its events need not be those of real pools.
  const isListed = (token: Address) => list.find(token) !== undefined
  const witness = indexes && !given ? openWitness(config, { chain, store, log, isListed, wants: list.wantsPool }) : undefined
  const supplies =
    indexes && !given
      ? followSupplies({
          ...{ chain, store, multicall: toMulticall(network), onReading: warnings.onReading },
          ...{ log, pause, nowMs: () => performance.now() },
        })
      : undefined
  // A subgraph far away is not asked for buyers.
  const listSwaps = indexes ? market.history.listNewestSwaps : async () => []
  const findFirstShare = (pool: Address) => findFirstFeeProtocol(store.read, pool)
  const readTakings = createTakingsReader({ chain, findFirstShare, ...toFollowing(network) })
  if (!given) warnings.followSales({ chain, snapshot: keeper.current, listSwaps, readTakings, log, pause })
  const holder: WorldHolder = { world: undefined }
  const index = indexes
    ? openIndex(config, {
        ...{ chain, store, served, holder, witness, log, list },
        openSideWitness: given
          ? undefined
          : (side, scope) => openWitness(config, { chain, store: side, log, isListed, wants: (a, b) => wantsPool(scope, a, b) }),
        // A test chain is read whole in no time, and may start over.
        recentFirst: !given && !toFollowing(network).mayRestart,
        onChange: (change) => {
          for (const listener of indexListeners) listener(change)
          void keeper.refresh({ urgent: change.caughtUp }).then(() => change.caughtUp && full.resolve())
        },
      })
    : undefined
  if (index) late.index = index
  const revaluing = indexes
    ? keepRevaluing({
        ...toRevaluing(config),
        store,
        holder,
        log,
        pause,
        nowMs: () => performance.now(),
        onDone: () => void keeper.refresh({ urgent: true }),
      })
    : undefined
  const retention = index
    ? keepRetention({
        ...toRevaluing(config),
        ...{ store, log, pause, retention: network.retention, confirmations: network.chain.confirmations },
        nowMs: () => performance.now(),
        isIdle: index.isIdle,
      })
    : undefined
  const organic = index ? openOrganic(config, { chain, store, log, market, list, isComplete: index.isComplete }) : undefined
  market.start()
  const listFiles = list.follow({ chain, log })
  let probes: Probes | undefined
  const close = async () => {
    // Before the app, which waits for the answers under way.
    ending.abort()
    await app.close()
    await listFiles.stop()
    await graph.close()
    await retention?.stop()
    await revaluing?.stop()
    await index?.stop()
    await supplies?.stop()
    await organic?.stop()
    await warnings.stop()
    await witness?.stop()
    await boosts.stop()
    await market.stop()
    await users.stop()
    await keys.stop()
    await store.close()
    const wal = findLeftWal(config.store)
    if (wal)
      log.warn(
        { wal },
        'Another process is still reading the database. The newest rows are in this file: keep it with chainboard.db',
      )
    await probes?.close()
  }
  try {
    const url = await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw toListenFailure(error, config)
    })
    probes = await openProbes(config, health, log)
    return { app, keyGate: keys.gate, url, probesUrl: probes?.url, full: full.promise, drain: health.drain.run, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The app's log, which is made of what is opened before it: troubles before that go to the console. */
function toLog(late: { readonly app?: FastifyInstance }): SourceLog {
  const shout = (facts: { readonly err?: unknown }, text: string) =>
    console.error(text, 'err' in facts ? { ...facts, err: toLoggedError(facts.err) } : facts)
  const of = (level: keyof SourceLog) => (facts: object, text: string) =>
    late.app ? late.app.log[level](facts, text) : shout(facts, text)
  return { info: of('info'), warn: of('warn'), error: of('error') }
}

/** The index as a subgraph; without an index, a forward to the remote one. */
function openGraph(
  { network, store, sourceEnv }: Config,
  chain: Chain,
  log: SourceLog,
  signal: AbortSignal,
): Pick<GraphServer, 'answer' | 'close'> {
  const subgraphUrl = findSubgraphUrl(network, sourceEnv)
  if (network.index.pools === 'none' && subgraphUrl) {
    const forward = createSubgraphForward(subgraphUrl, { signal })
    return { answer: async (body) => ({ body: await forward(body) }), close: async () => undefined }
  }
  return createGraphServer({
    store,
    facts: { factory: network.dex.factory.toLowerCase(), valuation: toValuation(network) },
    readTransactions: createSenderReader(createTransactionReader(chain)),
    onBug: (err) => log.error({ err }, 'A subgraph query failed because of a bug'),
  })
}
