import { type Address, parseAddress } from '@chainboard/core'
import { keepPriceCache } from './api/v1/priceCache.ts'
import type { EventWords } from './api/v1/stream/eventRing.ts'
import { createPriceFeed, type ToldBefore } from './api/v1/stream/priceFeed.ts'
import type { ToldEvent } from './api/v1/stream/priceStream.ts'
import type { Board, BoardEvent, LeaderState } from './cluster/board.ts'
import type { BoardKeeper } from './cluster/boardKeeper.ts'
import { publishBoards } from './cluster/publishBoards.ts'
import type { SourceLog } from './market/pollSource.ts'
import type { Snapshot } from './market/takeSnapshot.ts'
import type { Lead } from './openLead.ts'
import { pause } from './pause.ts'
import { findLastStep } from './store/boards.ts'
import { boardChannel, type Lease } from './store/electLeader.ts'
import type { IndexSwitch } from './store/indexSwitch.ts'
import type { Store } from './store/store.ts'

const timerMsMax = 2 ** 31 - 1
/** So long the board of the leader before stays in place while sources of prices are asked for the first time. */
const askingMsMax = 5_000

/** What a leader has beside the boards that it publishes. */
export type OwnBoards = {
  readonly served: IndexSwitch
  readonly state: () => LeaderState
  readonly reloadList: () => boolean
  readonly putFeatured: (tokens: readonly Address[] | undefined) => void
  /** Ends publishing, and what the boards are of. */
  stop(): Promise<void>
}

type Parts = {
  readonly lease: Lease
  /** With the leader's fence. */
  readonly store: Store
  /** Has the newest board of the leader before. */
  readonly keeper: BoardKeeper
  /** What readers of the stream were told before. */
  readonly before: ToldBefore
  readonly onFull: () => void
  readonly log: SourceLog
}

type Made = Omit<BoardEvent, 'place'>

/**
 * Begins to follow the chain, and publishes a board after every change of the market. Resolves when the first one is stored, or the lease has
 * ended. Readers are told what changed since the last board of the leader before, which stays until the sources of prices have been asked.
 */
export async function publishLead(lead: Lead, { lease, store, keeper, before, onFull, log }: Parts): Promise<OwnBoards> {
  const { market, list } = lead
  const nowSeconds = () => Date.now() / 1000
  let isFull = false
  let rollbacks = (keeper.state()?.rollbacks ?? 0) + 1
  let turnTimer: NodeJS.Timeout | undefined
  const toState = () => toLeaderState(lead, { rollbacks, isFull })
  const last = await findLastStep(store.read)
  // A new leader knows nothing of what sources said: without it, prices would be others for a moment.
  let isAsking = last !== undefined && keeper.seq() === last.seq
  const publisher = publishBoards({
    ...{ store, epoch: lease.epoch, ended: lease.signal, channel: boardChannel, state: toState, pause, log },
    board: () => (isAsking ? keeper.board() : toBoard(lead)),
    begin: last ?? { seq: 0, lastPlace: 0 },
    onPublished: keeper.take,
    onState: (state) => keeper.noteState(state, 0),
    onFault: (err) => {
      log.error({ err }, 'Publishing the board failed because of a bug: another server may lead')
      lease.lose(err)
    },
  })
  const { feed, prices } = openFeed(lead, { before, nowSeconds, known: last && (() => keeper.board().snapshot) })
  const look = () => {
    if (isAsking || lease.signal.aborted) return
    publisher.publish(feed.look())
    clearTimeout(turnTimer)
    // A price turns stale by the clock, without any news.
    const waitMs = (prices().untilSeconds - nowSeconds()) * 1000 + 1
    if (waitMs < timerMsMax) turnTimer = setTimeout(look, waitMs).unref()
  }
  const unwatch = [
    market.snapshots.watch(look),
    lead.watchIndex((move) => {
      if (move.rolledBack) rollbacks += 1
      const events = feed.follow(move)
      if (events.length > 0) publisher.publish(events)
    }),
  ]
  void lead.full.then(async () => {
    // The market of that moment has to be in the board.
    await publisher.flush()
    isFull = true
    onFull()
  })
  look()
  lead.begin()
  if (isAsking)
    void Promise.race([market.asked, pause(askingMsMax, lease.signal)]).then(() => {
      isAsking = false
      look()
    })
  await Promise.race([publisher.flush(), untilAborted(lease.signal)])
  return {
    served: lead.served,
    state: toState,
    reloadList: list.reload,
    putFeatured: list.putFeatured,
    stop: async () => {
      for (const end of unwatch) end()
      clearTimeout(turnTimer)
      await publisher.stop()
      await lead.stop()
    },
  }
}

type FeedOptions = Pick<Parts, 'before'> & {
  readonly nowSeconds: () => number
  /** The market as the last board has it; undefined: there was none. */
  readonly known: (() => Snapshot) | undefined
}

/** The changes of prices from now on. At first all prices are as the last board has them: readers know those. */
function openFeed(lead: Lead, { before, nowSeconds, known }: FeedOptions) {
  const { current } = lead.market.snapshots
  let source = known ?? current
  const prices = keepPriceCache({ snapshot: () => source(), nowSeconds })
  const ring = {
    append: (name: Made['name'], addresses: readonly string[], words: EventWords) => toMade(lead, name, addresses, words),
  }
  const feed = createPriceFeed({ prices, ring, nowSeconds, before })
  feed.look()
  source = current
  return { feed, prices }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function toLeaderState(lead: Lead, counts: Pick<LeaderState, 'rollbacks' | 'isFull'>): LeaderState {
  const { market, list } = lead
  return {
    nowMs: Date.now(),
    follow: lead.followStatus(),
    sources: market.sources(),
    creditsSpent: market.creditsSpent(),
    list: list.status(),
    boosts: toBoostState(lead),
    ...counts,
  }
}

function toBoard({ market, list }: Lead): Board {
  const snapshot = market.snapshots.current()
  const current = list.current()
  const tokens = snapshot.markets.map(({ token }) => token)
  // A list that was changed just now has no market yet.
  const isOfIt = tokens.length === current.tokens.length && tokens.every((token, place) => token === current.tokens[place])
  const holds = new Map(list.status().beingRead.map(({ id }) => [id, list.holdOf(id)] as const))
  return { snapshot, list: isOfIt ? current : { ...current, tokens }, holds, cmc: market.cmcDesk() }
}

function toBoostState({ boosts }: Lead): LeaderState['boosts'] {
  return {
    expirations: boosts.expirations(),
    isKnown: boosts.isKnown(),
    leadSeconds: boosts.leadSeconds(),
    pausedAtSeconds: boosts.pausedAtSeconds(),
    answeredAtMs: boosts.answeredAtMs(),
    doubts: boosts.doubts(),
    repairs: boosts.repairs(),
  }
}

function toMade({ market }: Lead, name: Made['name'], words: readonly string[], { json }: EventWords): Made {
  const addresses = words.flatMap((word) => parseAddress(word) ?? [])
  const [first] = addresses
  const { atBlock, byToken } = market.snapshots.current()
  if (name === 'retracted') return { name, addresses, json, block: readBlock(json) }
  const isOnChain = first !== undefined && byToken.get(first)?.quote?.atBlock !== undefined
  return { name, addresses, json, block: isOnChain ? atBlock?.number : undefined }
}

function readBlock(json: string): number | undefined {
  const { block }: { readonly block: number | null } = JSON.parse(json)
  return block ?? undefined
}

/** An event as the stream tells it: of several tokens, to each reader those that it wants. */
export function toToldEvent({ place, name, addresses, json }: BoardEvent): ToldEvent {
  if (name === 'price') return { place, name, addresses, words: { json } }
  const tellOf = (wanted: readonly string[]) => {
    const data: { readonly block: number | null; readonly addresses: readonly string[] } = JSON.parse(json)
    const picked = addresses.flatMap((address, i) => (wanted.includes(address) ? (data.addresses[i] ?? []) : []))
    return JSON.stringify({ ...data, addresses: picked })
  }
  return { place, name, addresses, words: { json, tellOf } }
}
