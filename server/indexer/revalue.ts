import {
  type Address,
  changeTick,
  createTickList,
  daySeconds,
  hourSeconds,
  noDepth,
  startOfDay,
  startOfHour,
  type TickList,
} from '@chainboard/core'
import { listFeeProtocols } from '../store/feeProtocols.ts'
import { findScope, listLackingNewest, markNewestValued } from '../store/indexScope.ts'
import { findFirstRevaluable } from '../store/keptSince.ts'
import { findAsked, keepAsked } from '../store/oldDollars.ts'
import { listPoolEventsIn, updatePoolEventDollars } from '../store/poolEvents.ts'
import { deleteSpans } from '../store/poolSpans.ts'
import { emptyPoolState } from '../store/poolState.ts'
import { listPoolsCreatedIn } from '../store/pools.ts'
import type { Store, Tx } from '../store/store.ts'
import { updateSwapDollars } from '../store/swaps.ts'
import { type BlockRef, findCursor, lockCursor } from '../store/syncCursor.ts'
import { emptyTokenState } from '../store/tokenState.ts'
import { listTokens } from '../store/tokens.ts'
import { findLastBlockBefore, findNextEvent } from '../store/transactions.ts'
import { tickListsMax } from './foldRange.ts'
import { byPlace, listEvents, openWorld, readTickLists } from './openWorld.ts'
import { describeDollars } from './settleScope.ts'
import {
  type Changes,
  foldAll,
  pickChanged,
  pickSpans,
  storeChanges,
  storeDays,
  storeHours,
  storeSpans,
  sumTickChanges,
  toRows,
} from './storeWorld.ts'
import { emptyWorld, type Valuation, type World } from './world.ts'
import { noteValuing, type WorldHolder } from './worldHolder.ts'

export type RevalueDeps = {
  readonly store: Store
  readonly valuation: Valuation
  /** Whether an index of this name is of this exchange: one that is about to be set aside is not. */
  readonly isOurs: (identity: string) => boolean
  readonly holder: WorldHolder
}

/** How far it is: the blocks before `next` are done, `last` is the newest one. */
export type Revalued = { readonly next: number; readonly last: number }

/**
 * Values the next hour of the blocks that are to be valued again, out of the stored events, in one transaction. The one with
 * the newest block writes totals, too, and has the follower make its world again. Whatever ends the process, the next call
 * continues; a reorg in between takes back what it has to.
 * @returns undefined when there is nothing to do, or nothing is left
 * @throws Failure of the store, with nothing changed
 */
export async function revalueHour(deps: RevalueDeps): Promise<Revalued | undefined> {
  return valueHour(deps, undefined)
}

/**
 * Values the hour of a block again before its turn: what the market shows of added tokens hangs on the newest hours. Of running totals only
 * what these hours add is right, so nothing is done with it: all blocks that are to be valued again still are. After the last hour the
 * newest blocks count as valued for the tokens of the span.
 * @returns what is left of the span; undefined when the newest block is reached, or there is nothing to do
 * @throws Failure of the store, with nothing changed
 */
export async function revalueNewestHour(deps: RevalueDeps, span: NewestSpan): Promise<NewestSpan | undefined> {
  const left = await valueHour(deps, span)
  return left && { ...left, tokens: span.tokens }
}

/** The newest hours from the block `next` on, for tokens that were added. */
export type NewestSpan = Revalued & { readonly tokens: readonly Address[] }

/** What the market shows of now: 24 hours, and the one that they begin in. */
const newestSeconds = daySeconds + hourSeconds

/**
 * Finds the newest hours that are to be valued before their turn.
 * @param begun what is left of those; it begins again where other tokens wait for it by now, whose pools may be in hours before
 * @returns undefined where no token waits for them, and where these hours are all that there are
 */
export async function findNewestSpan({ store }: Pick<RevalueDeps, 'store'>, begun?: NewestSpan): Promise<NewestSpan | undefined> {
  const tokens = await listLackingNewest(store.read)
  if (tokens.length === 0) return undefined
  if (begun?.tokens.join() === tokens.join()) return begun
  const [asked, cursor] = [await findAsked(store.read), await findCursor(store.read)]
  if (!asked || !cursor?.block) return undefined
  const before = await findLastBlockBefore(store.read, startOfHour(cursor.block.timestampSeconds - newestSeconds))
  return before === undefined || before < asked.fromBlock ? undefined : { next: before + 1, last: cursor.block.number, tokens }
}

async function valueHour(deps: RevalueDeps, newest: NewestSpan | undefined): Promise<Revalued | undefined> {
  const { store, holder } = deps
  try {
    return await store.write((tx) => valueNext(tx, deps, newest))
  } catch (error) {
    // It has events in it that were not stored.
    holder.past = undefined
    throw error
  }
}

async function valueNext(
  tx: Tx,
  { valuation, isOurs, holder }: RevalueDeps,
  newest: NewestSpan | undefined,
): Promise<Revalued | undefined> {
  // From here on no block comes and none goes.
  await lockCursor(tx)
  const cursor = await findCursor(tx)
  const asked = await findAsked(tx)
  const left = asked && { ...asked, fromBlock: Math.max(asked.fromBlock, newest?.next ?? 0) }
  const isValued = (await findScope(tx))?.dollars === describeDollars(valuation)
  if (!cursor?.block || !left || !isValued || !isOurs(cursor.identity)) {
    holder.past = undefined
    return undefined
  }
  const { block } = cursor
  const isBeforeTurn = newest !== undefined
  const fromBlock = Math.max(left.fromBlock, await findFirstRevaluable(tx))
  const isNext = holder.past?.block === fromBlock - 1 && holder.past.isBeforeTurn === isBeforeTurn
  const past = holder.past && isNext ? holder.past : await openBefore(tx, fromBlock, valuation)
  const { world } = past
  const hour = await readHour(tx, past.block, block.number)
  await addPools(tx, world, { after: past.block, upTo: hour.lastBlock })
  await keepTicks(tx, world, { events: hour.moves, upTo: past.block })
  const changes = foldAll(world, hour.events)
  await updateSwapDollars(
    tx,
    hour.moves.filter((event) => event.kind === 'swap'),
    changes.values,
  )
  await updatePoolEventDollars(
    tx,
    hour.moves.filter((event) => event.kind !== 'swap'),
    changes.values,
  )
  if (hour.nextAtSeconds === undefined) {
    await finish(tx, world, { changes, last: block })
    await (newest ? markNewestValued(tx, newest.tokens) : keepAsked(tx, undefined))
    holder.past = undefined
    noteValuing(holder)
    return undefined
  }
  await storeHours(tx, changes.hours)
  // Half a day would be read as a day that lost its volume.
  if (startOfDay(hour.nextAtSeconds) > world.day.startSeconds) await storeDays(tx, toRows(world.day))
  holder.past = { world, block: hour.lastBlock, isBeforeTurn }
  const next = hour.lastBlock + 1
  if (!newest) await keepAsked(tx, { fromBlock: next, toBlock: block.number, isWrong: left.isWrong })
  return { next, last: block.number }
}

type Past = { readonly world: World; readonly block: number }

/** The world before the hour of the first event from a block on: the rows of an hour are valued together. */
async function openBefore(tx: Tx, fromBlock: number, valuation: Valuation): Promise<Past> {
  const first = await findNextEvent(tx, fromBlock - 1)
  const before = first && (await findLastBlockBefore(tx, startOfHour(first.timestampSeconds)))
  if (first && before === undefined) return { world: emptyWorld(valuation), block: -1 }
  const block = before ?? fromBlock - 1
  const { world } = await openWorld(tx, block, valuation, { isPast: true })
  return { world, block }
}

/** The events of the hour that follows a block. `nextAtSeconds`: of the first event after it; undefined when `lastBlock` is the newest. */
async function readHour(tx: Tx, after: number, newest: number) {
  const first = await findNextEvent(tx, after)
  const fromSeconds = startOfHour(first?.timestampSeconds ?? 0)
  const ofHour = first ? await listEvents(tx, { fromSeconds, toSeconds: fromSeconds + hourSeconds, toBlock: newest }) : []
  const moves = ofHour.filter(({ blockNumber }) => blockNumber > after)
  const lastMove = moves.at(-1)?.blockNumber ?? newest
  const next = await findNextEvent(tx, lastMove)
  const lastBlock = next ? lastMove : newest
  const isOfHour = ({ blockNumber }: { readonly blockNumber: number }) => blockNumber > after && blockNumber <= lastBlock
  const shares = (await listFeeProtocols(tx, lastBlock)).filter(isOfHour)
  return { moves, events: [...moves, ...shares].sort(byPlace), lastBlock, nextAtSeconds: next?.timestampSeconds }
}

/** Adds the pools made in these blocks, and their tokens, as they were before their first event. */
async function addPools(tx: Tx, world: World, { after, upTo }: { after: number; upTo: number }): Promise<void> {
  const pools = await listPoolsCreatedIn(tx, after, upTo)
  for (const pool of pools) {
    const unused = { firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined }
    world.pools.set(pool.address, { ...pool, ...emptyPoolState, ...noDepth, ...unused })
    world.ticks.set(pool.address, createTickList())
  }
  const unknown = new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]).filter((token) => !world.tokens.has(token)))
  for (const token of await listTokens(tx, [...unknown])) world.tokens.set(token.address, { ...token, ...emptyTokenState })
}

type Moved = { readonly events: readonly { readonly pool: Address }[]; readonly upTo: number }

/** Reads the ticks of the hour's pools as they were after a block, and forgets those that nothing happened to for longest. */
async function keepTicks(tx: Tx, { ticks }: World, { events, upTo }: Moved): Promise<void> {
  const pools = new Set(events.map(({ pool }) => pool))
  for (const pool of pools) {
    const list = ticks.get(pool) ?? (await readPastTicks(tx, pool, upTo))
    ticks.delete(pool)
    ticks.set(pool, list)
  }
  for (const pool of ticks.keys()) {
    if (ticks.size <= Math.max(tickListsMax, pools.size)) break
    ticks.delete(pool)
  }
}

async function readPastTicks(tx: Tx, pool: Address, toBlock: number): Promise<TickList> {
  const list = createTickList()
  const events = await listPoolEventsIn(tx, { fromBlock: 0, toBlock, pool })
  for (const change of sumTickChanges(events, 1n).values()) changeTick(list, change.tick, change)
  return list
}

/** Writes what only the newest block has: pools, tokens, the running day and the spans of the window. */
async function finish(tx: Tx, world: World, { changes, last }: { changes: Changes; last: BlockRef }): Promise<void> {
  const unmeasured = [...world.pools.values()].filter(({ address, reach }) => !reach && !world.ticks.has(address))
  const lists = await readTickLists(
    tx,
    unmeasured.map(({ address }) => address),
  )
  for (const [pool, list] of lists) world.ticks.set(pool, list)
  const changed = pickChanged(world, {
    changes: { ...changes, days: toRows(world.day) },
    also: { pools: world.pools.keys(), tokens: world.tokens.keys() },
  })
  await storeChanges(tx, changed)
  await deleteSpans(tx)
  await storeSpans(tx, pickSpans(world, { pools: world.windows.keys(), first: { timestampSeconds: 0 }, last }))
}
