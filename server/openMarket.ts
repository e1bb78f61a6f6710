import type { Address } from '@chainboard/core'
import { createViemChain } from './chain/viemChain.ts'
import type { Config } from './config.ts'
import type { FollowStatus } from './indexer/followChain.ts'
import { answerDex } from './market/cmc/answerDex.ts'
import { answerListed } from './market/cmc/answerListed.ts'
import type { CmcDesk } from './market/cmc/cmcDesk.ts'
import type { CmcWords } from './market/cmc/cmcWords.ts'
import { createMerger } from './market/createMerger.ts'
import { createIndexHistory } from './market/indexHistory.ts'
import { keepLearned } from './market/keepLearned.ts'
import { keepSnapshot, type SnapshotKeeper } from './market/keepSnapshot.ts'
import type { SourceKeeper } from './market/keepSources.ts'
import type { LiveList } from './market/liveList.ts'
import { createMarketSource } from './market/marketSource.ts'
import { type OpenSources, openSources, type SourceParts } from './market/openSources.ts'
import { addOrganic } from './market/organic/addOrganic.ts'
import type { OrganicReading } from './market/organic/keepOrganic.ts'
import type { KeptSource, SourceLog } from './market/pollSource.ts'
import { keepRecentMarkets, type RecentMarkets } from './market/recentMarkets.ts'
import { shareHours } from './market/shareHours.ts'
import type { PoolHistory } from './market/source.ts'
import { findSubgraphUrl } from './market/sources/subgraph/findSubgraphUrl.ts'
import { createSubgraphClient } from './market/subgraph/subgraphClient.ts'
import { createSubgraphHistory } from './market/subgraph/subgraphHistory.ts'
import type { Snapshot } from './market/takeSnapshot.ts'
import { pause } from './pause.ts'
import { type IndexReader, wholeIndex } from './store/indexSwitch.ts'
import { toRequestIndex } from './store/requestStore.ts'
import type { Store } from './store/store.ts'
import type { BlockRef } from './store/syncCursor.ts'

const clock = { nowMs: () => Date.now(), pause }
/** A new leader needs some minutes to learn by itself what the one before knew: sales are simulated one after the other. */
const learnedBeforeMs = 15 * 60_000

/** The market of one network: its sources, the snapshot made of them, and the past of its pools. */
export type Market = {
  readonly snapshots: SnapshotKeeper
  readonly recent: RecentMarkets
  readonly history: PoolHistory
  /** The index that answers, read for requests; empty on a server without one. */
  readonly index: IndexReader
  /** Traded in 24 hours by each pool, US dollars x 10^18; undefined while not all of them are read. */
  readonly poolVolumes: () => ReadonlyMap<Address, bigint> | undefined
  /** Takes up what is organic of the volumes: snapshots have it from now on. */
  setOrganic(reading: OrganicReading): void
  /** What is kept of each source in use. */
  sources(): readonly KeptSource[]
  /** Credits of the month that are spent; undefined without CoinMarketCap. */
  creditsSpent(): number | undefined
  answerCmcListed(slug: string): CmcWords
  answerCmcDex(pool: string, network: string): CmcWords
  /** What those answers are made of. */
  cmcDesk(): CmcDesk
  /** How the subgraph stands to the chain, for a server without an index. */
  subgraphStatus(): FollowStatus
  start(): void
  /** Resolves when each source has been asked once, well or not. */
  readonly asked: Promise<unknown>
  stop(): Promise<void>
}

/** The index that answers; absent: the one of the store. */
type Served = {
  readonly served: IndexReader
  /** When the newest block of the chain was made; unix seconds. */
  readonly headSeconds: () => number | undefined
  /** What it holds of a token; absent: everything of every one. */
  readonly holdOf?: LiveList['holdOf']
}

/** @param onReading after every reading of a source other than the index @param learned what is known of a token beside its market */
export async function openMarket(
  config: Config,
  store: Store,
  log: SourceLog,
  {
    onReading,
    signal,
    learned,
    before,
    list,
    ...index
  }: Partial<Served & Pick<SourceParts, 'openChain'>> & {
    readonly onReading: () => void
    readonly signal: AbortSignal
    readonly learned: SourceParts['learned']
    /** What the leader before published last; absent: nothing. */
    readonly before?: Snapshot | undefined
    readonly list: LiveList
  },
): Promise<Market> {
  const stopping = new AbortController()
  const { network } = config
  const indexes = network.index.pools !== 'none'
  const recent = keepRecentMarkets()
  const sources = await openMarketSources(config, store, {
    ...index,
    list: list.current,
    holdOf: list.holdOf,
    log,
    learned,
    onChange: () => {
      snapshots.replace(mergeAtOnce())
      onReading()
    },
  })
  const { keeper, cmc } = sources
  let organic: OrganicReading | undefined
  const learnedUntilMs = clock.nowMs() + learnedBeforeMs
  function* mergeSteps() {
    const reading = organic
    const last = before && clock.nowMs() < learnedUntilMs ? before : undefined
    const snapshot = yield* addOrganic(yield* keeper.mergeSteps(), reading)
    return last ? yield* keepLearned(snapshot, last) : snapshot
  }
  const { mergeAtOnce, mergeInTurns } = createMerger(mergeSteps, recent.keep)
  const take = async () => {
    // A subgraph far away is read on its own interval: nobody waits for it here.
    if (indexes) await keeper.readChain()
    return mergeInTurns()
  }
  const snapshots = await keepSnapshot(take, (err) =>
    log.error({ err }, 'The market could not be updated: the server keeps the last one'),
  )
  const unwatch = list.watch(() => {
    // A source that is asked on an interval answers for new tokens the next time: the removed ones are gone at once.
    if (indexes) return void snapshots.refresh({ urgent: true })
    snapshots.replace(mergeAtOnce())
    void keeper.readChain()
  })
  const listed = () => keeper.kept().find(({ name }) => name === 'cmcListed')
  const answering = index.served ?? wholeIndex(store)
  const desk = () => ({ network, list: list.current(), book: cmc?.book, nowMs: clock.nowMs() })
  return {
    snapshots,
    recent,
    history: openPoolHistory(config, { index: answering, atBlock: () => snapshots.current().atBlock, signal }),
    index: toRequestIndex(answering),
    poolVolumes: () => keeper.chainReading()?.poolVolumes,
    setOrganic: (reading) => {
      organic = reading
      snapshots.replace(mergeAtOnce())
    },
    sources: keeper.kept,
    creditsSpent: () => cmc?.credits.spentThisMonth(),
    answerCmcListed: (slug) => answerListed(slug, { ...desk(), listed: listed() }),
    answerCmcDex: (pool, slug) => answerDex(pool, slug, { ...desk(), onChain: keeper.chainReading() }),
    cmcDesk: () => ({ rows: cmc?.book.rows(), listed: listed(), onChain: keeper.chainReading() }),
    subgraphStatus: () => toStatus(keeper),
    start: sources.start,
    asked: keeper.asked,
    stop: async () => {
      unwatch()
      stopping.abort()
      await sources.stop()
      await snapshots.stop()
    },
  }
}

type HistoryParts = {
  readonly index: IndexReader
  /** The block that answers are of now. */
  readonly atBlock: () => BlockRef | undefined
  readonly signal: AbortSignal
}

/** The past of pools: by the index, or where there is none by the subgraph. */
export function openPoolHistory({ network, sourceEnv }: Config, { index, atBlock, signal }: HistoryParts): PoolHistory {
  const subgraphUrl = findSubgraphUrl(network, sourceEnv)
  if (network.index.pools !== 'none' || !subgraphUrl) return shareHours(createIndexHistory(toRequestIndex(index)), atBlock)
  return createSubgraphHistory(createSubgraphClient(subgraphUrl, { signal }))
}

/** The sources of a configuration, opened and not asked yet. `list`: when absent, the configuration's. */
export function openMarketSources(
  { network, tokenList, sourceEnv, rpcUrls }: Config,
  store: Store,
  {
    log,
    onChange,
    learned,
    list = () => tokenList,
    openChain = () => createViemChain(rpcUrls),
    served = wholeIndex(store),
    ...known
  }: Pick<SourceParts, 'log' | 'onChange' | 'learned'> & Partial<Served & Pick<SourceParts, 'list' | 'openChain'>>,
): Promise<OpenSources> {
  const indexes = network.index.pools !== 'none'
  return openSources({
    store,
    network,
    list,
    env: sourceEnv,
    openChain,
    index: indexes ? createMarketSource(served, network, known) : undefined,
    clock,
    log,
    learned,
    onChange,
  })
}

/** A server that reads a subgraph knows only that much of the chain. */
function toStatus(keeper: SourceKeeper): FollowStatus {
  const kept = keeper.kept().find(({ name }) => name === 'subgraph')
  const cursor = kept?.reading?.atBlock
  return {
    cursor,
    head: cursor?.number,
    headAtSeconds: cursor?.timestampSeconds,
    longestGapSeconds: undefined,
    contactAtMs: kept?.readAtMs,
    trouble:
      kept?.failure === undefined ? undefined : { kind: 'node', text: kept.failure, sinceMs: kept.failingSinceMs ?? Date.now() },
    complete: cursor !== undefined,
    faults: 0,
  }
}
