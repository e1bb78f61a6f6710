import { type Address, changePosition, createTickList, type TickList } from '@chainboard/core'
import { callMany } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'
import { listPoolEventsIn } from '../store/poolEvents.ts'
import type { Pool } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import { listTicksOf } from '../store/ticks.ts'
import { callAt } from './callAt.ts'
import { createTickMeanings, type JudgedPlace } from './createTickMeanings.ts'
import { failureOfNode } from './failureOfNode.ts'
import { narrowHole } from './narrowHole.ts'
import { nodeOf } from './nodeOf.ts'
import { type PoolPlace, planLane, type Turn } from './planLane.ts'
import { judgePlace, type Lane, type TickPlace, toCall } from './tickPlaces.ts'

/** Calls of one look, in one multicall: half of them near the prices, half everywhere else. */
const callsDefault = 400
/** Pools whose ticks one look reads from the store, of each lane: about as many as its calls are for. */
const poolsPerLook: Record<Lane, number> = { near: 20, far: 6 }
/** Places of a pool that differ and are looked at again and again; more say nothing more. */
const openOfPool = 4
/** Pools with such places. */
const openPools = 50
const lanes: readonly Lane[] = ['near', 'far']

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

/** Takes turns among all pools with ticks. In memory only: a start begins with the first one. */
export function createTicks({ nodes, store, multicall, tickCalls = callsDefault }: TicksDeps): Ticks {
  const turns = new Map<Lane, Turn>()
  const open = new Map<Address, readonly TickPlace[]>()
  /** Lanes in which a pool is still to be compared because it was doubted. */
  const wanted = new Map<Address, Set<Lane>>()
  const meanings = createTickMeanings()

  const run = async (pools: Pools, turn: number) => {
    for (const book of [open, wanted]) for (const address of book.keys()) if (!pools.has(address)) book.delete(address)
    const queues = lanes.map((lane) => {
      const at = turns.get(lane)
      return { lane, at: at && at.queue.length > 0 ? at : { queue: listComparable(pools), after: Number.NEGATIVE_INFINITY } }
    })
    const moment = await readMoment(store, [
      ...open.keys(),
      ...queues.flatMap(({ lane, at }) => at.queue.slice(0, poolsPerLook[lane])),
    ])
    if (!moment) return
    const known = { pools, lists: moment.lists, limit: Math.floor(tickCalls / lanes.length) }
    const plans = queues.map(({ lane, at }) => ({ lane, ...planLane(lane, at, known) }))
    const again = [...open].flatMap(([address, own]) => toPoolPlaces(own, pools.get(address), moment.lists.get(address)))
    const places = uniquePlaces([...again, ...plans.flatMap((plan) => plan.places)])
    const asked = places.filter(({ kind }) => meanings.isAnswered(kind))
    note(await judgeTwice({ nodes, multicall, block: moment.block }, asked, turn))
    for (const { lane, done, next } of plans) {
      turns.set(lane, next)
      for (const address of done) pass(address, lane)
    }
  }

  const note = (judged: readonly JudgedPlace[]) => {
    meanings.note(judged)
    const differing = judged.filter(({ place, verdict }) => verdict === 'differs' && meanings.isKnown(place.kind))
    const differingOf = Map.groupBy(
      differing.map(({ place }) => place),
      ({ pool }) => pool.address,
    )
    for (const address of open.keys()) if (!differingOf.has(address)) open.delete(address)
    for (const [address, own] of differingOf)
      if (open.has(address) || open.size < openPools) open.set(address, own.slice(0, openOfPool).map(toTickPlace))
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
      const [place] = open.get(pool.address) ?? []
      const moment = await readMoment(store, [pool.address])
      const list = moment?.lists.get(pool.address)
      if (!place || !moment || !list) return undefined
      const at = { pool, list, place, end: moment.block.number }
      return findBlockOf({ node: nodeOf(nodes, turn), store, multicall }, at).catch((error: unknown) => void failureOfNode(error))
    },
    quirk: meanings.quirk,
  }
}

type Asked = Pick<TicksDeps, 'nodes' | 'multicall'> & { readonly block: BlockRef }

async function judge({ nodes, multicall, block }: Asked, places: readonly PoolPlace[], turn: number): Promise<JudgedPlace[]> {
  const calls = places.map((place) => toCall(place.pool.address, place))
  const answers = await callAt(nodeOf(nodes, turn), calls, { block, multicall })
  return places.map((place, i) => {
    const { tickSpacing } = place.pool
    return { place, verdict: judgePlace(place, place.list, { tickSpacing, answer: answers[i] }) }
  })
}

/** What differs has to differ at the next node, or again, before it counts. */
async function judgeTwice(asked: Asked, places: readonly PoolPlace[], turn: number): Promise<JudgedPlace[]> {
  const first = await judge(asked, places, turn)
  const doubtful = first.filter(({ verdict }) => verdict === 'differs').map(({ place }) => place)
  if (doubtful.length === 0) return first
  const second = await judge(asked, doubtful, turn + 1)
  const secondOf = new Map(second.map((each) => [each.place, each]))
  return first.map((each) => secondOf.get(each.place) ?? each)
}

type Search = { readonly pool: Pool; readonly list: TickList; readonly place: TickPlace; readonly end: number }

/** The block after which a place differs and before which it does not, by the states that one node has. */
function findBlockOf(
  { node, store, multicall }: { readonly node: Chain } & Pick<TicksDeps, 'store' | 'multicall'>,
  { pool, list, place, end }: Search,
): Promise<number | undefined> {
  const { address, tickSpacing, createdBlock } = pool
  return narrowHole({ first: createdBlock, bad: end }, async (block) => {
    const before = await takeBack(store, list, { pool: address, fromBlock: block + 1, toBlock: end })
    const [answer] = await callMany(node, [toCall(address, place)], { multicall, block })
    const verdict = judgePlace(place, before, { tickSpacing, answer })
    return verdict === 'no answer' ? undefined : verdict === 'differs'
  })
}

function toPoolPlaces(places: readonly TickPlace[], pool: Pool | undefined, list: TickList | undefined): PoolPlace[] {
  return pool && list ? places.map((place) => ({ ...place, pool, list })) : []
}

/** Without the pool and its ticks, which are of one look. */
function toTickPlace({ kind, at }: PoolPlace): TickPlace {
  return { kind, at }
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
