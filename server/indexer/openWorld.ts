import { type Address, changeTick, createTickList, startOfDay, startOfHour, type TickList } from '@chainboard/core'
import { type ExchangePeriod, listExchangeHoursIn } from '../store/exchangePeriods.ts'
import { listFeeProtocols } from '../store/feeProtocols.ts'
import { listPoolEventsBetween, type PoolEvent } from '../store/poolEvents.ts'
import { listLastHoursBefore, listPeriodsIn, type PoolPeriod } from '../store/poolPeriods.ts'
import { emptyPoolState, type PoolState } from '../store/poolState.ts'
import { listPoolsCreatedUpTo, type Pool } from '../store/pools.ts'
import type { Db, Tx } from '../store/store.ts'
import { listLastSwapTimes, listSwapsBetween, type Swap } from '../store/swaps.ts'
import { listTicksOf } from '../store/ticks.ts'
import { listLastTokenHoursBefore, listTokenHoursIn, type TokenPeriod } from '../store/tokenPeriods.ts'
import { emptyTokenState, type TokenState } from '../store/tokenState.ts'
import { listAllTokens, type TokenRow } from '../store/tokens.ts'
import { findLastEventTime } from '../store/transactions.ts'
import { mergeExchangeHours, mergePoolHours, mergeTokenHours } from './foldEvents.ts'
import { type Changes, foldAll, sumTickChanges } from './storeWorld.ts'
import { emptyWorld, refindRoutes, type Valuation, type World } from './world.ts'

/**
 * The world after a block, out of the store: as the hour of its last event began, by the rows of the hours before, and that
 * hour's events until the block folded again; with the rows that they change. The store is only read.
 * @param blockNumber the last one in the store, unless `isPast`: then nothing is known of ticks and fee growth in the hour
 */
export async function openWorld(
  db: Db | Tx,
  blockNumber: number,
  valuation: Valuation,
  { isPast = false } = {},
): Promise<{ world: World; changes: Changes }> {
  const world = emptyWorld(valuation)
  const pools = await listPoolsCreatedUpTo(db, blockNumber)
  const tokens = await listAllTokens(db)
  const lastEventAt = await findLastEventTime(db, blockNumber)
  const hourStart = startOfHour(lastEventAt ?? 0)
  await putPools(world, db, { pools, hourStart })
  await putTokens(world, db, { tokens, pools, hourStart })
  const feeProtocols = await listFeeProtocols(db, blockNumber)
  const isEarlier = ({ timestampSeconds }: { timestampSeconds: number }) => timestampSeconds < hourStart
  for (const { pool, feeProtocol } of feeProtocols.filter(isEarlier)) world.feeProtocols.set(pool, feeProtocol)
  const later = feeProtocols.filter((change) => !isEarlier(change))
  if (lastEventAt === undefined) return { world, changes: foldAll(world, later) }
  await openDay(world, db, hourStart)
  world.hour.startSeconds = hourStart
  refindRoutes(world)
  const events = await listEvents(db, { fromSeconds: hourStart, toBlock: blockNumber })
  if (!isPast) await putTicks(world, db, events)
  return { world, changes: foldAll(world, [...events, ...later].sort(byPlace)) }
}

/** The ticks of pools as the store has them now. */
export async function readTickLists(db: Db | Tx, pools: readonly Address[]): Promise<Map<Address, TickList>> {
  const rows = Map.groupBy(await listTicksOf(db, pools), ({ pool }) => pool)
  return new Map(pools.map((pool) => [pool, createTickList((rows.get(pool) ?? []).map((row) => [row.tick, row]))]))
}

/** Ticks as the hour began: as they are now, without what its events changed. */
async function putTicks(world: World, db: Db | Tx, events: readonly (Swap | PoolEvent)[]): Promise<void> {
  const lists = await readTickLists(db, [...new Set(events.map(({ pool }) => pool))])
  for (const change of sumTickChanges(events, -1n).values()) changeTick(lists.get(change.pool) as TickList, change.tick, change)
  for (const [pool, list] of lists) world.ticks.set(pool, list)
}

type Placed = { readonly blockNumber: number; readonly logIndex: number }

function byPlace(a: Placed, b: Placed): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
}

async function putPools(world: World, db: Db | Tx, { pools, hourStart }: { pools: Pool[]; hourStart: number }): Promise<void> {
  const hours = new Map((await listLastHoursBefore(db, hourStart)).map((hour) => [hour.pool, hour]))
  const swapTimes = await listLastSwapTimes(db, hourStart)
  for (const pool of pools) {
    const state = toPoolState(hours.get(pool.address))
    world.pools.set(pool.address, { ...pool, ...state, lastSwapAtSeconds: swapTimes.get(pool.address) })
    world.tvlUsdE18 += state.tvlUsdE18
  }
}

async function putTokens(
  world: World,
  db: Db | Tx,
  { tokens, pools, hourStart }: { tokens: TokenRow[]; pools: Pool[]; hourStart: number },
): Promise<void> {
  const traded = new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))
  const hours = new Map((await listLastTokenHoursBefore(db, hourStart)).map((hour) => [hour.token, hour]))
  for (const token of tokens) {
    if (traded.has(token.address)) world.tokens.set(token.address, { ...token, ...toTokenState(hours.get(token.address)) })
  }
}

/** The day until the hour, out of its hours. */
async function openDay({ day }: World, db: Db | Tx, hourStart: number): Promise<void> {
  const span = { fromSeconds: startOfDay(hourStart), toSeconds: hourStart }
  day.startSeconds = span.fromSeconds
  for (const [pool, hours] of Map.groupBy(await listPeriodsIn(db, 'pool_hours', span), (hour) => hour.pool))
    day.pools.set(pool, mergePoolHours(hours as [PoolPeriod, ...PoolPeriod[]]))
  for (const [token, hours] of Map.groupBy(await listTokenHoursIn(db, span), (hour) => hour.token))
    day.tokens.set(token, mergeTokenHours(hours as [TokenPeriod, ...TokenPeriod[]]))
  const hours = await listExchangeHoursIn(db, span)
  if (hours.length > 0) day.exchange = mergeExchangeHours(hours as [ExchangePeriod, ...ExchangePeriod[]])
}

async function listEvents(db: Db | Tx, span: { fromSeconds: number; toBlock: number }): Promise<readonly (Swap | PoolEvent)[]> {
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
