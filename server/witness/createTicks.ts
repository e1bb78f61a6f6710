import { type Address, changePosition, createTickList, type TickList } from '@chainboard/core'
import { callMany } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'
import { listPoolEventsIn } from '../store/poolEvents.ts'
import type { Pool } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import { listTicksOf } from '../store/ticks.ts'
import { callAt } from './callAt.ts'
import { failureOfNode } from './failureOfNode.ts'
import { narrowHole } from './narrowHole.ts'
import { type PoolPlace, planLane, type Turn } from './planLane.ts'
import { holdsLiquidity, judgePlace, type Lane, type TickPlace, toCall, type Verdict } from './tickPlaces.ts'

/** Calls of one look, in one multicall: half of them near the prices, half everywhere else. */
const callsDefault = 400
/** Pools whose ticks one look reads from the store, of each lane: about as many as its calls are for. */
const poolsPerLook: Record<Lane, number> = { near: 20, far: 6 }
/** Places of a pool that differ and are looked at again and again; more say nothing more. */
const openOfPool = 4
/** Pools with such places. */
const openPools = 50
/** So many pools whose ticks differ, and none that has one that agrees, are no omission: ticks mean something else here. */
const strangePools = 3
const lanes: readonly Lane[] = ['near', 'far']
const kinds = ['tick', 'word'] as const
/** Looks without one answer after which that kind of place is not asked for any more: no such function is there. */
const unansweredLooks = 3

export type TicksDeps = {
  readonly nodes: readonly Chain[]
  readonly store: Store
  readonly multicall: Address
  /** Calls of one look; absent: 400. */
  readonly tickCalls?: number | undefined
}

type Pools = ReadonlyMap<Address, Pool>

/** Compares the ticks of pools with their contracts, some in each look: what bounds positions away from the price. */
export type Ticks = {
  /**
   * Compares the next places, and those that differed before, at the last block of the index.
   * @param turn whose turn it is among the nodes: one that has no answer is passed over
   */
  step(pools: Pools, turn: number): Promise<void>
  /** Pools with a place that differs, at two nodes or twice. */
  listOpen(): readonly Address[]
  /** Whether nothing is open about a pool, nor still to be compared because of an earlier doubt. */
  isSettled(pool: Address): boolean
  /** A pool is doubted because of its ticks, as by an earlier run of the server: it is compared before the others. */
  want(pool: Address): void
  /** The block at which the pool's open place began to differ, by the states of earlier blocks; undefined when these are gone. */
  findBlock(pool: Pool, turn: number): Promise<number | undefined>
  /** Why ticks are not compared on this chain; undefined where they are. */
  quirk(): string | undefined
}

type Moment = { readonly block: BlockRef; readonly lists: ReadonlyMap<Address, TickList> }
/**
 * What is known of a kind of place: whether one with liquidity ever agreed, pools that differed before one did, and looks in
 * which none was answered.
 */
type Meaning = { isKnown: boolean; readonly strange: Set<Address>; unanswered: number }

export function createTicks({ nodes, store, multicall, tickCalls = callsDefault }: TicksDeps): Ticks {
  const turns = new Map<Lane, Turn>()
  const open = new Map<Address, readonly TickPlace[]>()
  /** Lanes in which a pool is still to be compared because it was doubted. */
  const wanted = new Map<Address, Set<Lane>>()
  const meanings: Record<TickPlace['kind'], Meaning> = {
    tick: { isKnown: false, strange: new Set(), unanswered: 0 },
    word: { isKnown: false, strange: new Set(), unanswered: 0 },
  }
  const isAnswered = ({ kind }: TickPlace) => meanings[kind].unanswered < unansweredLooks
  const nodeOf = (turn: number) => nodes[turn % nodes.length] as Chain

  const judge = async (places: readonly PoolPlace[], { block, lists }: Moment, turn: number): Promise<Verdict[]> => {
    const calls = places.map((place) => toCall(place.pool.address, place))
    const answers = await callAt(nodeOf(turn), calls, { block, multicall })
    return places.map((place, i) => {
      const { address, tickSpacing } = place.pool
      return judgePlace(place, lists.get(address) as TickList, { tickSpacing, answer: answers[i] })
    })
  }

  /** What differs has to differ at the next node, or again, before it counts. */
  const judgeTwice = async (places: readonly PoolPlace[], moment: Moment, turn: number): Promise<Verdict[]> => {
    const first = await judge(places, moment, turn)
    const doubtful = places.filter((_, i) => first[i] === 'differs')
    if (doubtful.length === 0) return first
    const second = await judge(doubtful, moment, turn + 1)
    return first.map((verdict) => (verdict === 'differs' ? (second.shift() as Verdict) : verdict))
  }

  const note = (places: readonly PoolPlace[], verdicts: readonly Verdict[], { lists }: Moment) => {
    places.forEach((place, i) => {
      const { address, tickSpacing } = place.pool
      const meaning = meanings[place.kind]
      if (verdicts[i] === 'differs' && !meaning.isKnown && meaning.strange.size < strangePools) meaning.strange.add(address)
      if (verdicts[i] !== 'agrees' || meaning.isKnown) return
      meaning.isKnown = holdsLiquidity(place, lists.get(address) as TickList, tickSpacing)
    })
    for (const kind of kinds) {
      const own = verdicts.filter((_, i) => places[i]?.kind === kind)
      // A contract that answered once has such functions: a node that does not answer now is asked again.
      if (own.length > 0 && !meanings[kind].isKnown)
        meanings[kind].unanswered = own.every((verdict) => verdict === 'no answer') ? meanings[kind].unanswered + 1 : 0
    }
    const differing = places.filter(({ kind }, i) => verdicts[i] === 'differs' && meanings[kind].isKnown)
    const differingOf = Map.groupBy(differing, ({ pool }) => pool.address)
    for (const address of open.keys()) if (!differingOf.has(address)) open.delete(address)
    for (const [address, own] of differingOf)
      if (open.has(address) || open.size < openPools) open.set(address, own.slice(0, openOfPool))
  }

  const run = async (pools: Pools, turn: number) => {
    for (const book of [open, wanted]) for (const address of book.keys()) if (!pools.has(address)) book.delete(address)
    const queues = lanes.map((lane) => {
      const at = turns.get(lane)
      return at && at.queue.length > 0 ? at : { queue: listComparable(pools), after: Number.NEGATIVE_INFINITY }
    })
    const moment = await readMoment(store, [
      ...open.keys(),
      ...queues.flatMap(({ queue }, i) => queue.slice(0, poolsPerLook[lanes[i] as Lane])),
    ])
    if (!moment) return
    const known = { pools, lists: moment.lists, limit: Math.floor(tickCalls / lanes.length) }
    const plans = queues.map((at, i) => ({ lane: lanes[i] as Lane, ...planLane(lanes[i] as Lane, at, known) }))
    const again = [...open].flatMap(([address, own]) => own.map((place) => ({ ...place, pool: pools.get(address) as Pool })))
    const places = uniquePlaces([...again, ...plans.flatMap((plan) => plan.places)]).filter(isAnswered)
    note(places, await judgeTwice(places, moment, turn), moment)
    for (const { lane, done, next } of plans) {
      turns.set(lane, next)
      for (const address of done) pass(address, lane)
    }
  }

  const pass = (address: Address, lane: Lane) => {
    const left = wanted.get(address)
    left?.delete(lane)
    if (left?.size === 0) wanted.delete(address)
  }

  return {
    step: (pools, turn) => run(pools, turn).catch((error: unknown) => void failureOfNode(error)),
    listOpen: () => [...open.keys()],
    isSettled: (pool) => !open.has(pool) && !wanted.has(pool),
    want(pool) {
      if (wanted.has(pool)) return
      wanted.set(pool, new Set(lanes))
      for (const lane of lanes)
        turns.set(lane, { queue: [pool, ...(turns.get(lane)?.queue ?? [])], after: Number.NEGATIVE_INFINITY })
    },
    async findBlock(pool, turn) {
      const { address, tickSpacing } = pool
      const [place] = open.get(address) ?? []
      const moment = await readMoment(store, [address])
      if (!place || !moment) return undefined
      const end = moment.block.number
      return narrowHole({ first: pool.createdBlock, bad: end }, async (block) => {
        const list = await takeBack(store, moment.lists.get(address) as TickList, {
          pool: address,
          fromBlock: block + 1,
          toBlock: end,
        })
        const [answer] = await callMany(nodeOf(turn), [toCall(address, place)], { multicall, block })
        const verdict = judgePlace(place, list, { tickSpacing, answer })
        return verdict === 'no answer' ? undefined : verdict === 'differs'
      }).catch((error: unknown) => void failureOfNode(error))
    },
    quirk: () =>
      kinds.some(
        (kind) => (!meanings[kind].isKnown && meanings[kind].strange.size >= strangePools) || !isAnswered({ kind, at: 0 }),
      )
        ? 'The ticks of pools on this chain do not match their positions'
        : undefined,
  }
}

/** Pools that may have ticks. */
function listComparable(pools: Pools): Address[] {
  return [...pools.values()]
    .filter(({ tick, tickSpacing }) => tick !== undefined && tickSpacing > 0)
    .map(({ address }) => address)
}

/** The last block of the index and the ticks there. */
function readMoment(store: Store, pools: readonly Address[]): Promise<Moment | undefined> {
  return store.readConsistently(async (tx) => {
    const block = (await findCursor(tx))?.block
    if (!block) return undefined
    const rows = Map.groupBy(await listTicksOf(tx, [...new Set(pools)]), ({ pool }) => pool)
    const lists = pools.map((pool) => [pool, createTickList((rows.get(pool) ?? []).map((row) => [row.tick, row]))] as const)
    return { block, lists: new Map(lists) }
  })
}

type Span = { readonly pool: Address; readonly fromBlock: number; readonly toBlock: number }

/** A pool's ticks before the mints and burns of the span, which ends where the list is. */
async function takeBack({ read }: Store, { byTick }: TickList, span: Span): Promise<TickList> {
  const list = createTickList(byTick)
  // From the last one back: a tick that is down to nothing on a way that never was would be forgotten.
  for (const event of (await listPoolEventsIn(read, span)).toReversed()) {
    const { kind } = event
    if (kind === 'mint' || kind === 'burn')
      changePosition(list, event, kind === 'mint' ? -(event.amount ?? 0n) : (event.amount ?? 0n))
  }
  return list
}

function uniquePlaces(places: readonly PoolPlace[]): PoolPlace[] {
  return [...new Map(places.map((place) => [`${place.pool.address} ${place.kind} ${place.at}`, place])).values()]
}
