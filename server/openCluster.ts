import type { Address, Failure } from '@chainboard/core'
import type { ServersStatus } from './api/deps.ts'
import type { ToldBefore } from './api/v1/stream/priceFeed.ts'
import type { Board } from './cluster/board.ts'
import { type BoardKeeper, createBoardKeeper } from './cluster/boardKeeper.ts'
import { readBoardSite } from './cluster/boardSite.ts'
import { followBoards } from './cluster/followBoards.ts'
import { type HandOver, mustGiveWay, watchHandOver } from './cluster/handOver.ts'
import { shareStreams } from './cluster/shareStreams.ts'
import { createToldBook } from './cluster/toldBook.ts'
import type { Config } from './config.ts'
import { answerDex } from './market/cmc/answerDex.ts'
import { answerListed } from './market/cmc/answerListed.ts'
import { createCmcBook } from './market/cmc/cmcBook.ts'
import { createLiveList, fromList } from './market/liveList.ts'
import { keepRecentMarkets } from './market/recentMarkets.ts'
import { mergeSnapshot } from './market/takeSnapshot.ts'
import { type LeadParts, openLead } from './openLead.ts'
import { openPoolHistory } from './openMarket.ts'
import { pause } from './pause.ts'
import { type OwnBoards, publishLead, toToldEvent } from './publishLead.ts'
import type { Site } from './site.ts'
import { listBoostPayments } from './store/boostPayments.ts'
import { claimLead, type Election, joinElection, type Lease } from './store/electLeader.ts'
import { type IndexReader, wholeIndex } from './store/indexSwitch.ts'
import { readRun, toLeadStore } from './store/leadership.ts'
import { openReplica } from './store/openStore.ts'
import { toRequestIndex, toRequestStore } from './store/requestStore.ts'
import { watchReplica } from './store/watchReplica.ts'

/** `hashSubject`: of whom streams are for, which nobody can turn back. */
type ClusterParts = LeadParts & {
  readonly hashSubject: (subject: string) => string
  /** Called when this server must end: the failure says why. */
  readonly onLost: (failure: Failure) => void
}

/**
 * The site of one of several servers on a PostgreSQL. All of them answer from the board that one publishes: the leader, which alone follows
 * the chain. The leader, too, answers from what it has published.
 */
export async function openCluster(config: Config, databaseUrl: string, parts: ClusterParts): Promise<Site> {
  const { store, requestStore, log } = parts
  const run = await readRun(store.read)
  const clocks = { nowMs: () => Date.now(), steadyMs: () => performance.now() }
  const keeper = createBoardKeeper(emptyBoard(config), clocks)
  const list = createLiveList(config.tokenList, { ...clocks, holdOf: (token) => keeper.board().holds.get(token) ?? 'all' })
  const recent = keepRecentMarkets()
  const book = createToldBook()
  const full = Promise.withResolvers<void>()
  const streams = shareStreams({ store, hash: parts.hashSubject, pause, log })

  keeper.watch((publication) => {
    const { board } = publication
    if (list.newest() !== board.list) list.put(board.list)
    recent.keep(board.snapshot)
    book.note(publication)
  })
  const follower = followBoards({
    ...{ store, keeper, pause, log },
    onState: ({ isFull }) => isFull && full.resolve(),
  })
  const atBlock = () => keeper.board().snapshot.atBlock
  const replica = config.readUrl ? watchReplica({ reader: await openReplica(config.readUrl), atBlock, pause, log }) : undefined
  const whole = replica?.instead(wholeIndex(store)) ?? wholeIndex(store)
  // While history is read, the newest days are in files of the leader's own.
  const index: IndexReader = {
    use: (work) => {
      const own = leading.own()
      return (own?.served.sinceSeconds() === undefined ? whole : own.served).use(work)
    },
  }
  const leading = createLeading(async (lease, featured) => {
    await follower.look()
    return beginToLead(config, parts, lease, { keeper, before: book.current(), onFull: full.resolve, featured })
  })
  const candidacy = createCandidacy({ config, databaseUrl, parts, keeper, leading, look: follower.look })
  return {
    ...readBoardSite({
      ...{ keeper, own: () => leading.own()?.state(), listStatus: list.status },
      hasBoosts: config.network.boost !== undefined,
      listPayments: (query) => listBoostPayments(requestStore.read, query),
    }),
    ...{ list, recent, full: full.promise },
    reloadList: () => leading.own()?.reloadList() ?? false,
    putFeatured: leading.putFeatured,
    history: openPoolHistory(config, { index, atBlock, signal: parts.signal }),
    index: toRequestIndex(index),
    ...readBoards(config, keeper),
    told: { run, watch: (listener) => keeper.watch(({ events }) => listener(events.map(toToldEvent))) },
    servers: () => toServersStatus(keeper, candidacy.epoch()),
    sharedStreams: streams,
    hasNearReplica: replica?.isNear,
    begin: candidacy.begin,
    isLeading: candidacy.isLeading,
    resign: candidacy.resign,
    stop: async () => {
      await candidacy.stop()
      await streams.stop()
      await follower.stop()
      await replica?.close()
    },
  }
}

type CandidacyParts = {
  readonly config: Config
  readonly databaseUrl: string
  readonly parts: ClusterParts
  readonly keeper: BoardKeeper
  readonly leading: ReturnType<typeof createLeading>
  /** Looks at what was published. */
  readonly look: () => Promise<void>
}

/** This server's part in the election of the leader. */
function createCandidacy({ config, databaseUrl, parts, keeper, leading, look }: CandidacyParts) {
  const { store, log } = parts
  let election: Election | undefined
  let handOver: HandOver | undefined
  const epoch = () => election?.epoch()
  const isLeading = () => epoch() !== undefined
  return {
    epoch,
    isLeading,
    begin: async () => {
      await look()
      const mayLead = config.role === 'auto'
      handOver = mayLead ? openHandOver(config, parts, keeper, isLeading) : undefined
      election = await joinElection({
        ...{ databaseUrl, store, mayLead, lead: leading.lead, pause, log },
        isFit: () => handOver?.isFit() !== false,
        mustGiveWay: () => {
          const own = leading.own()
          return own !== undefined && mustGiveWay(own.state().follow, Date.now())
        },
        onNews: () => void look(),
        onShutOut: parts.onLost,
      })
      await election.settled
      await look()
    },
    resign: async () => election?.resign(),
    stop: async () => {
      await handOver?.stop()
      await election?.stop()
    },
  }
}

/** What is answered before anything was published: the list, of which nothing is known. */
function emptyBoard({ network, tokenList }: Config) {
  const snapshot = mergeSnapshot([], tokenList, { ...network.prices, nowSeconds: Date.now() / 1000, chain: undefined })
  return { snapshot, list: tokenList, holds: new Map(), cmc: { rows: undefined, listed: undefined, onChain: undefined } }
}

/**
 * What this server leads with, while it leads. What operators feature stays known when it does not: its next turn begins with that.
 * @param begin opens what a leader does, with what is featured in place of the files
 */
function createLeading(begin: (lease: Lease, featured: LeadWith['featured']) => Promise<OwnBoards>) {
  let own: OwnBoards | undefined
  let featured: LeadWith['featured']
  return {
    own: () => own,
    putFeatured: (tokens: LeadWith['featured']) => {
      featured = tokens
      own?.putFeatured(tokens)
    },
    lead: async (lease: Lease) => {
      const begunWith = featured
      const opened = await begin(lease, begunWith)
      own = opened
      // An edit that came meanwhile does not come again.
      if (featured !== begunWith) opened.putFeatured(featured)
      return {
        stop: async () => {
          own = undefined
          await opened.stop()
        },
      }
    },
  }
}

/** @returns undefined where no server follows the chain */
function openHandOver(
  { network }: Config,
  { store, chain, log }: ClusterParts,
  keeper: BoardKeeper,
  isLeading: () => boolean,
): HandOver | undefined {
  if (network.index.pools === 'none') return undefined
  const leader = () => {
    const [state, ageMs] = [keeper.state(), keeper.stateAgeMs()]
    return state && ageMs !== undefined ? { follow: state.follow, ageMs } : undefined
  }
  return watchHandOver({ chain, leader, isLeading, claim: () => claimLead(store), nowMs: Date.now, pause, log })
}

type LeadWith = {
  readonly keeper: BoardKeeper
  readonly before: ToldBefore
  readonly onFull: () => void
  /** What operators feature in place of the files; undefined: as the files say. */
  readonly featured: readonly Address[] | undefined
}

/** Opens what a leader does, on a store that lets it write while it leads. */
async function beginToLead(config: Config, parts: LeadParts, lease: Lease, own: LeadWith): Promise<OwnBoards> {
  const store = toLeadStore(parts.store, lease.epoch, () => lease.lose())
  const board = own.keeper.seq() > 0 ? own.keeper.board() : undefined
  const lead = await openLead(config, {
    ...{ ...parts, store, requestStore: toRequestStore(store) },
    listedBefore: board?.list.tokens,
    publishedBefore: board?.snapshot,
  })
  if (own.featured) lead.list.putFeatured(own.featured)
  return publishLead(lead, { ...own, lease, store, log: parts.log }).catch((error: unknown) =>
    lead.stop().then(() => Promise.reject(error)),
  )
}

/** What follows from the newest board alone. */
function readBoards(
  config: Config,
  { board, state, watch, watchRollbacks }: BoardKeeper,
): Pick<Site, 'snapshots' | 'poolVolumes' | 'watchIndex' | 'answerCmcListed' | 'answerCmcDex'> {
  return {
    snapshots: { current: () => board().snapshot, watch: (listener) => watch(() => listener()) },
    poolVolumes: () => board().cmc.onChain?.poolVolumes,
    watchIndex: (listener) => watchRollbacks(() => listener({ cursor: state()?.follow.cursor, rolledBack: true })),
    ...answerAsCmc(config, board),
  }
}

/** Answers in CoinMarketCap's words, of what the leader has of it. */
function answerAsCmc({ network }: Config, board: () => Board): Pick<Site, 'answerCmcListed' | 'answerCmcDex'> {
  const book = fromList(board, ({ cmc: { rows } }) => rows && createCmcBook(rows))
  const desk = () => ({ ...board().cmc, list: board().list, network, book: book(), nowMs: Date.now() })
  return {
    answerCmcListed: (slug) => answerListed(slug, desk()),
    answerCmcDex: (pool, slug) => answerDex(pool, slug, desk()),
  }
}

function toServersStatus(keeper: BoardKeeper, leadsInEpoch: number | undefined): ServersStatus {
  const takenAtMs = keeper.takenAtMs()
  return {
    leadsInEpoch,
    epoch: keeper.epoch(),
    sequence: keeper.seq(),
    ageSeconds: toSeconds(takenAtMs === undefined ? undefined : performance.now() - takenAtMs),
    stateAgeSeconds: toSeconds(keeper.stateAgeMs()),
  }
}

function toSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000
}
