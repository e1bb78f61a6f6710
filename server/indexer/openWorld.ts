import {
  type Address,
  changeTick,
  createTickList,
  type Depth,
  executableDepth,
  getFrom,
  hourSeconds,
  noDepth,
  startOfDay,
  startOfHour,
  type TickList,
} from '@chainboard/core'
import { listExchangeHoursIn } from '../store/exchangePeriods.ts'
import { listFeeProtocols } from '../store/feeProtocols.ts'
import { findFirstOpen, findKeptSince } from '../store/keptSince.ts'
import { listPoolEventsBetween, type PoolEvent, readLiquidityAfter } from '../store/poolEvents.ts'
import {
  listHourShares,
  listLastHoursBefore,
  listStandingsBefore,
  listSumsBefore,
  type PoolHour,
  type PoolPeriod,
  type PoolShare,
} from '../store/poolPeriods.ts'
import { emptyPoolState, emptyPoolSums, type PoolStanding, type PoolState } from '../store/poolState.ts'
import { listPoolsCreatedUpTo, type Pool } from '../store/pools.ts'
import type { Db, Tx } from '../store/store.ts'
import { listLastSwapTimes, listPoolsTradedAfter, listSwapsBetween, type Swap, type TimeSpan } from '../store/swaps.ts'
import { listTicksOf, type TickChange } from '../store/ticks.ts'
import {
  listLastTokenHoursBefore,
  listTokenHourShares,
  listTokenSumsBefore,
  type TokenHour,
  type TokenPeriod,
  type TokenShare,
} from '../store/tokenPeriods.ts'
import { emptyTokenState, emptyTokenSums, type TokenState } from '../store/tokenState.ts'
import { listAllTokens, type TokenRow } from '../store/tokens.ts'
import { findLastEventTime } from '../store/transactions.ts'
import { foldState, mergeExchangeHours, mergePoolHours, mergeTokenHours, sumPoolHours, sumTokenHours } from './foldEvents.ts'
import { noteMoment } from './poolWindows.ts'
import { makePlan } from './pricePlan.ts'
import { type Changes, foldAll, splitIntoBlocks, sumTickChanges } from './storeWorld.ts'
import { emptyWorld, type Valuation, type World } from './world.ts'

/**
 * The world after a block, out of the store: as the hour of its last event began, by the rows of the hours before, and that
 * hour's events until the block folded again; with the rows that they change. The store is only read.
 * @param blockNumber the last one in the store, unless `isPast`
 */
export async function openWorld(
  db: Db | Tx,
  blockNumber: number,
  valuation: Valuation,
  { isPast = false }: { isPast?: boolean } = {},
): Promise<{ world: World; changes: Changes }> {
  const world = emptyWorld(valuation)
  const pools = await listPoolsCreatedUpTo(db, blockNumber)
  const tokens = await listAllTokens(db)
  const lastEventAt = await findOpenTime(db, blockNumber)
  // An index that was begun with pools as they were has states before any event.
  const hourStart = lastEventAt === undefined ? Number.MAX_SAFE_INTEGER : startOfHour(lastEventAt)
  const shares = await readShares(db, hourStart)
  const before = {
    pools: await putPools(world, db, { pools, hourStart, shares }),
    tokens: await putTokens(world, db, { tokens, pools, hourStart, shares }),
  }
  const feeProtocols = await listFeeProtocols(db, blockNumber)
  const isEarlier = ({ timestampSeconds }: { timestampSeconds: number }) => timestampSeconds < hourStart
  for (const { pool, feeProtocol } of feeProtocols.filter(isEarlier)) world.feeProtocols.set(pool, feeProtocol)
  const later = feeProtocols.filter((change) => !isEarlier(change))
  if (lastEventAt === undefined) return { world, changes: foldAll(world, later) }
  await openDay(world, db, { hourStart, shares, before })
  world.hour.startSeconds = hourStart
  const events = await listEvents(db, { fromSeconds: hourStart, toBlock: blockNumber })
  const taken = isPast ? await readTicksAfter(db, blockNumber) : new Map<string, TickChange>()
  const undone = sumTickChanges(events, -1n, taken)
  await putWindows(world, db, { hourStart, blockNumber, undone })
  const changed = new Set([...events.map(({ pool }) => pool), ...[...undone.values()].map(({ pool }) => pool)])
  for (const pool of isPast ? await listPoolsTradedAfter(db, blockNumber) : []) changed.add(pool)
  await putTicks(world, db, { undone, changed: [...changed] })
  makePlan(world, hourStart)
  return { world, changes: foldAll(world, [...events, ...later].sort(byPlace)) }
}

/** A state was wanted from before the rows that are kept. */
class StateGone extends Error {}

/**
 * Time of the last event until a block. Of an hour whose events may be gone nothing is folded again: the world is then the one of the
 * first hour that can be, which nothing happened in.
 */
async function findOpenTime(db: Db | Tx, blockNumber: number): Promise<number | undefined> {
  const lastEventAt = await findLastEventTime(db, blockNumber)
  const { swaps } = await findKeptSince(db)
  if (swaps === undefined || lastEventAt === undefined || lastEventAt >= swaps + hourSeconds) return lastEventAt
  if (blockNumber < (await findFirstOpen(db)))
    throw new StateGone(`The state of the index after block ${blockNumber} is no longer kept`)
  return swaps + hourSeconds
}

/** The ticks of pools as the store has them now. */
export async function readTickLists(db: Db | Tx, pools: readonly Address[]): Promise<Map<Address, TickList>> {
  const rows = Map.groupBy(await listTicksOf(db, pools), ({ pool }) => pool)
  return new Map(pools.map((pool) => [pool, createTickList((rows.get(pool) ?? []).map((row) => [row.tick, row]))]))
}

/** What takes back the mints and burns after a block. */
async function readTicksAfter(db: Db | Tx, blockNumber: number): Promise<Map<string, TickChange>> {
  const changes = new Map<string, TickChange>()
  for await (const events of readLiquidityAfter(db, blockNumber)) sumTickChanges(events, -1n, changes)
  return changes
}

/** `undone` takes back what happened since the hour began. `changed`: pools that anything happened to since. */
type Since = { readonly undone: ReadonlyMap<string, TickChange>; readonly changed: readonly Address[] }

/**
 * Ticks as the hour began, of pools that something happened to since: as they are now, without what was done since.
 * With them the depth of these pools; that of all others is still the stored one.
 */
async function putTicks(world: World, db: Db | Tx, { undone, changed }: Since): Promise<void> {
  const lists = await readTickLists(db, changed)
  for (const change of undone.values()) changeTick(getFrom(lists, change.pool), change.tick, change)
  for (const [address, list] of lists) {
    const pool = world.pools.get(address)
    if (!pool) continue
    world.ticks.set(address, list)
    world.pools.set(address, { ...pool, ...executableDepth(pool, list) })
  }
}

type Earlier = { readonly hourStart: number; readonly blockNumber: number; readonly undone: ReadonlyMap<string, TickChange> }

/** How prices and depths changed in the hour before: its events are folded again, from what the pools were as it began. */
async function putWindows(
  { windows, valuation }: World,
  db: Db | Tx,
  { hourStart, blockNumber, undone }: Earlier,
): Promise<void> {
  const fromSeconds = hourStart - hourSeconds
  const events = (await listEvents(db, { fromSeconds, toBlock: blockNumber })).filter(
    (event) => event.timestampSeconds < hourStart,
  )
  const standings = await listStandingsBefore(db, fromSeconds)
  const lists = await readTickLists(db, [...new Set(events.map(({ pool }) => pool))])
  // In one sum: a tick that is down to nothing on the way would be forgotten.
  for (const change of sumTickChanges(events, -1n, new Map(undone)).values()) {
    const list = lists.get(change.pool)
    if (list) changeTick(list, change.tick, change)
  }
  const pools = new Map<Address, PoolStanding & Depth>()
  for (const [address, list] of lists) {
    const standing = standings.get(address) ?? emptyPoolState
    pools.set(address, { ...standing, ...executableDepth(standing, list) })
  }
  for (const block of splitIntoBlocks(events)) {
    for (const [address, own] of Map.groupBy(block, ({ pool }) => pool)) {
      const [first] = own
      if (!first) continue
      const [before, list] = [getFrom(pools, address), getFrom(lists, address)]
      for (const change of sumTickChanges(own, 1n).values()) changeTick(list, change.tick, change)
      const standing = own.reduce<PoolStanding>(foldState, before)
      const after = { ...standing, ...executableDepth(standing, list) }
      pools.set(address, after)
      const { windowSeconds } = valuation
      noteMoment(windows, address, { before, after, atSeconds: first.timestampSeconds, windowSeconds })
    }
  }
}

type Placed = { readonly blockNumber: number; readonly logIndex: number }

/** Sorts events as the chain has them: by block, then by their place in it. */
export function byPlace(a: Placed, b: Placed): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
}

type LastHours = { readonly pools: ReadonlyMap<Address, PoolPeriod>; readonly tokens: ReadonlyMap<Address, TokenPeriod> }

/** What happened in the hours of the day until the hour, of each pool and token, ascending. */
type DayShares = {
  readonly pools: ReadonlyMap<Address, readonly PoolShare[]>
  readonly tokens: ReadonlyMap<Address, readonly TokenShare[]>
}

async function readShares(db: Db | Tx, hourStart: number): Promise<DayShares> {
  const span = { fromSeconds: startOfDay(hourStart), toSeconds: hourStart }
  return {
    pools: Map.groupBy(await listHourShares(db, span), ({ pool }) => pool),
    tokens: Map.groupBy(await listTokenHourShares(db, span), ({ token }) => token),
  }
}

type Opened = { readonly pools: readonly Pool[]; readonly hourStart: number; readonly shares: DayShares }

/** @returns the last hour of each before the hour */
async function putPools(world: World, db: Db | Tx, { pools, hourStart, shares }: Opened): Promise<LastHours['pools']> {
  const sums = await listSumsBefore(db, startOfDay(hourStart))
  const toWhole = (hour: PoolHour): PoolPeriod => ({
    ...hour,
    ...sumPoolHours(sums.get(hour.pool) ?? emptyPoolSums, shares.pools.get(hour.pool) ?? []),
  })
  const hours = new Map((await listLastHoursBefore(db, hourStart)).map((hour) => [hour.pool, toWhole(hour)]))
  const swapTimes = await listLastSwapTimes(db, hourStart)
  for (const pool of pools) {
    const hour = hours.get(pool.address)
    const state = toPoolState(hour)
    // The table's depth is of a later moment, when nothing had happened to the pool yet.
    const depth = hour ? {} : noDepth
    const { firstSwapAtSeconds: first } = pool
    const firstSwapAtSeconds = first !== undefined && first < hourStart ? first : undefined
    world.pools.set(pool.address, {
      ...pool,
      ...state,
      ...depth,
      firstSwapAtSeconds,
      lastSwapAtSeconds: swapTimes.get(pool.address),
    })
    world.tvlUsdE18 += state.tvlUsdE18
  }
  return hours
}

async function putTokens(
  world: World,
  db: Db | Tx,
  { tokens, pools, hourStart, shares }: Opened & { readonly tokens: readonly TokenRow[] },
): Promise<LastHours['tokens']> {
  const traded = new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))
  const sums = await listTokenSumsBefore(db, startOfDay(hourStart))
  const toWhole = (hour: TokenHour): TokenPeriod => ({
    ...hour,
    ...sumTokenHours(sums.get(hour.token) ?? emptyTokenSums, shares.tokens.get(hour.token) ?? []),
  })
  const hours = new Map((await listLastTokenHoursBefore(db, hourStart)).map((hour) => [hour.token, toWhole(hour)]))
  for (const token of tokens) {
    if (traded.has(token.address)) world.tokens.set(token.address, { ...token, ...toTokenState(hours.get(token.address)) })
  }
  return hours
}

/** The day until the hour, out of its hours. */
async function openDay(
  { day }: World,
  db: Db | Tx,
  { hourStart, shares, before }: { hourStart: number; shares: DayShares; before: LastHours },
): Promise<void> {
  const span = { fromSeconds: startOfDay(hourStart), toSeconds: hourStart }
  day.startSeconds = span.fromSeconds
  for (const [pool, hours] of shares.pools) {
    const last = before.pools.get(pool)
    const [first, ...others] = hours
    if (last && first) day.pools.set(pool, mergePoolHours([first, ...others], last))
  }
  for (const [token, hours] of shares.tokens) {
    const last = before.tokens.get(token)
    const [first, ...others] = hours
    if (last && first) day.tokens.set(token, mergeTokenHours([first, ...others], last))
  }
  const [first, ...others] = await listExchangeHoursIn(db, span)
  if (first) day.exchange = mergeExchangeHours([first, ...others])
}

/** Swaps and events of a time, in the order of the chain. */
export async function listEvents(db: Db | Tx, span: TimeSpan): Promise<readonly (Swap | PoolEvent)[]> {
  const events = [...(await listSwapsBetween(db, span)), ...(await listPoolEventsBetween(db, span))]
  return events.sort(byPlace)
}

function toPoolState(hour: PoolPeriod | undefined): PoolState {
  if (!hour) return emptyPoolState
  const { pool: _p, startSeconds: _s, open: _o, high: _h, low: _l, volume0: _0, volume1: _1, ...rest } = hour
  const { volumeUsdE18: _v, feesUsdE18: _f, swapCount: _c, eventCount: _e, ...state } = rest
  return state
}

function toTokenState(hour: TokenPeriod | undefined): TokenState {
  if (!hour) return emptyTokenState
  const { reserve, totalVolume, totalVolumeUsdE18, totalFeesUsdE18, txCount, priceUsdE18 } = hour
  return { reserve, totalVolume, totalVolumeUsdE18, totalFeesUsdE18, txCount, priceUsdE18 }
}
