import type { Address } from '@chainboard/core'
import { createBoardKeeper } from './cluster/boardKeeper.ts'
import { readBoardSite } from './cluster/boardSite.ts'
import { followBoards } from './cluster/followBoards.ts'
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
import { type Election, joinElection, type Lease } from './store/electLeader.ts'
import { type IndexReader, wholeIndex } from './store/indexSwitch.ts'
import { readRun, toLeadStore } from './store/leadership.ts'
import { toRequestIndex, toRequestStore } from './store/requestStore.ts'

/** `hashSubject`: of whom streams are for, which nobody can turn back. */
type ClusterParts = LeadParts & { readonly hashSubject: (subject: string) => string }

/**
 * The site of one of several servers on a PostgreSQL. All of them answer from the board that one publishes: the leader, which alone follows
 * the chain. Whoever leads answers from what it has published, too.
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
  let own: OwnBoards | undefined
  let election: Election | undefined
  let featured: readonly Address[] | undefined

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
  const index: IndexReader = { use: (work) => (own?.served ?? wholeIndex(store)).use(work) }
  const atBlock = () => keeper.board().snapshot.atBlock
  const lead = async (lease: Lease) => {
    await follower.look()
    const leadStore = toLeadStore(store, lease.epoch, lease.lose)
    const opened = await openLead(config, { ...parts, store: leadStore, requestStore: toRequestStore(leadStore) })
    if (featured) opened.list.putFeatured(featured)
    const published = await publishLead(opened, {
      ...{ lease, store: leadStore, keeper, before: book.current(), log },
      onFull: full.resolve,
    }).catch((error: unknown) => opened.stop().then(() => Promise.reject(error)))
    own = published
    return {
      stop: async () => {
        own = undefined
        await published.stop()
      },
    }
  }
  const cmcBook = fromList(
    () => keeper.board(),
    ({ cmc: { rows } }) => rows && createCmcBook(rows),
  )
  const desk = () => ({
    ...keeper.board().cmc,
    list: list.current(),
    network: config.network,
    book: cmcBook(),
    nowMs: Date.now(),
  })
  return {
    ...readBoardSite({
      ...{ keeper, own: () => own?.state(), listStatus: list.status },
      listPayments: (query) => listBoostPayments(requestStore.read, query),
    }),
    ...{ list, recent, full: full.promise },
    reloadList: () => own?.reloadList() ?? false,
    putFeatured: (tokens) => {
      featured = tokens
      own?.putFeatured(tokens)
    },
    snapshots: {
      current: () => keeper.board().snapshot,
      watch: (listener) => keeper.watch(() => listener()),
    },
    history: openPoolHistory(config, { index, atBlock, signal: parts.signal }),
    index: toRequestIndex(index),
    poolVolumes: () => keeper.board().cmc.onChain?.poolVolumes,
    answerCmcListed: (slug) => answerListed(slug, desk()),
    answerCmcDex: (pool, slug) => answerDex(pool, slug, desk()),
    watchIndex: () => () => undefined,
    told: { run, watch: (listener) => keeper.watch(({ events }) => listener(events.map(toToldEvent))) },
    servers: () => ({
      leadsInEpoch: election?.epoch(),
      epoch: keeper.epoch(),
      sequence: keeper.seq(),
      ageSeconds: secondsSince(keeper.takenAtMs()),
      stateAgeSeconds: own ? 0 : toSeconds(keeper.stateAgeMs()),
    }),
    sharedStreams: streams,
    begin: async () => {
      await follower.look()
      const mayLead = config.role === 'auto'
      election = await joinElection({ databaseUrl, store, mayLead, lead, onNews: () => void follower.look(), pause, log })
      await election.settled
      await follower.look()
    },
    isLeading: () => election?.epoch() !== undefined,
    resign: async () => election?.resign(),
    stop: async () => {
      await election?.stop()
      await streams.stop()
      await follower.stop()
    },
  }
}

/** What is answered before anything was published: the list, of which nothing is known. */
function emptyBoard({ network, tokenList }: Config) {
  const snapshot = mergeSnapshot([], tokenList, { ...network.prices, nowSeconds: Date.now() / 1000, chain: undefined })
  return { snapshot, list: tokenList, holds: new Map(), cmc: { rows: undefined, listed: undefined, onChain: undefined } }
}

function secondsSince(atMs: number | undefined): number | undefined {
  return atMs === undefined ? undefined : toSeconds(performance.now() - atMs)
}

function toSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000
}
