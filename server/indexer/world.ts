import {
  type Address,
  absolute,
  findRoutes,
  oneE18,
  type Route,
  startOfDay,
  startOfHour,
  type TickList,
  toHop,
  usdAlong,
} from '@chainboard/core'
import type { ExchangePeriod } from '../store/exchangePeriods.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { PoolPeriod } from '../store/poolPeriods.ts'
import type { PoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import type { Swap } from '../store/swaps.ts'
import type { TokenPeriod } from '../store/tokenPeriods.ts'
import type { TokenRow } from '../store/tokens.ts'
import { type Misfit, type Witnessed, witnessEvent } from '../witness/witnessEvent.ts'
import { foldExchangePeriod, foldPeriod, foldState, foldTokenPeriod, type Traded } from './foldEvents.ts'

/** How events are valued in US dollars. */
export type Valuation = {
  readonly stables: readonly Address[]
  readonly wrappedNative: Address
  /** Pools with less within 2 % of the price set none. */
  readonly depthFloorUsdE18: bigint
}

/** A running hour or day: the rows of all that something happened to in it, and when it started. */
export type RunningPeriod = {
  startSeconds: number
  readonly pools: Map<Address, PoolPeriod>
  readonly tokens: Map<Address, TokenPeriod>
  exchange: ExchangePeriod | undefined
}

/**
 * Everything that the next event is folded into, as it stands after the event before: it changes in place, in the order of
 * the chain. Whatever it holds follows from the events alone, so a world made anew from the store is the same.
 */
export type World = {
  readonly valuation: Valuation
  readonly pools: Map<Address, Pool>
  readonly tokens: Map<Address, TokenRow>
  readonly hour: RunningPeriod
  readonly day: RunningPeriod
  /** Ticks of the pools that something happened to lately; of others they are in the store alone. */
  readonly ticks: Map<Address, TickList>
  /** The protocol's share of the fees where it takes one, as in `slot0`. */
  readonly feeProtocols: Map<Address, number>
  /** From tokens to US dollars, found when the hour began, and again when a token gets its first deep pool. */
  readonly routes: Map<Address, Route>
  /** Of all pools. */
  tvlUsdE18: bigint
}

/** What became of an event. */
export type Folded = {
  readonly usdE18: bigint
  readonly token0: Address
  readonly token1: Address
  /** What about it does not fit the events before it. */
  readonly misfit: Misfit | undefined
}

export function emptyPeriod(startSeconds: number): RunningPeriod {
  return { startSeconds, pools: new Map(), tokens: new Map(), exchange: undefined }
}

/** A world before its first event. */
export function emptyWorld(valuation: Valuation): World {
  return {
    valuation,
    pools: new Map(),
    tokens: new Map(),
    hour: emptyPeriod(Number.NEGATIVE_INFINITY),
    day: emptyPeriod(Number.NEGATIVE_INFINITY),
    ticks: new Map(),
    feeProtocols: new Map(),
    routes: new Map(),
    tvlUsdE18: 0n,
  }
}

/** Folds one event into the world. @param event of a pool in it, not before any event folded already */
export function foldIntoWorld(world: World, event: Swap | PoolEvent): Folded {
  beginPeriods(world, event.timestampSeconds)
  const before = world.pools.get(event.pool) as Pool
  const { token0, token1 } = before
  const standing = foldState(before, event)
  world.pools.set(event.pool, { ...before, ...standing })
  if (event.kind === 'mint') noticeDepth(world, event.pool)
  const usd = [priceOf(world, token0), priceOf(world, token1)] as const
  const usdE18 = valueEvent(world, event, { token0, token1, usd })
  const traded = toTraded(event, usdE18, before.fee)
  const txCount = countOf(event)
  const { misfit, ...growth } = witness(world, before, event)
  const state = foldTotals({ ...before, ...standing, ...growth }, event, { traded, usdE18 })
  const tvlUsdE18 = dollarsOf(world, token0, standing.reserve0, usd[0]) + dollarsOf(world, token1, standing.reserve1, usd[1])
  const after: PoolState = { ...state, tvlUsdE18 }
  const lastSwapAtSeconds = event.kind === 'swap' ? event.timestampSeconds : before.lastSwapAtSeconds
  world.pools.set(event.pool, { ...before, ...after, lastSwapAtSeconds })
  world.tvlUsdE18 += tvlUsdE18 - before.tvlUsdE18
  foldToken(world, token0, {
    txCount,
    delta: standing.reserve0 - before.reserve0,
    volume: traded.volume0,
    traded,
    usdE18: usd[0],
  })
  foldToken(world, token1, {
    txCount,
    delta: standing.reserve1 - before.reserve1,
    volume: traded.volume1,
    traded,
    usdE18: usd[1],
  })
  const nativeUsdE18 = priceOf(world, world.valuation.wrappedNative)
  const end = { tvlUsdE18: world.tvlUsdE18, nativeUsdE18, txCount }
  for (const period of [world.hour, world.day]) {
    const { startSeconds } = period
    period.pools.set(event.pool, foldPeriod(period.pools.get(event.pool), event, { state: after, traded, startSeconds }))
    period.exchange = foldExchangePeriod(period.exchange, traded, { ...end, startSeconds })
  }
  return { usdE18, token0, token1, misfit }
}

/** Without the pool's ticks, as in a world of the past, nothing is known of its fees and nothing is doubted. */
function witness({ ticks, feeProtocols }: World, before: Pool, event: Swap | PoolEvent): Witnessed {
  const list = ticks.get(event.pool)
  if (!list) return { feeGrowth0: undefined, feeGrowth1: undefined, misfit: undefined }
  return witnessEvent({ ...before, feeProtocol: feeProtocols.get(event.pool) ?? 0 }, list, event)
}

/** US dollars x 10^18 per whole token at the pools' prices now; 0 without a route. */
export function priceOf({ routes, pools }: World, token: Address): bigint {
  const route = routes.get(token)
  if (!route) return 0n
  if (route.length === 0) return oneE18
  return usdAlong(route, (pool) => pools.get(pool)?.sqrtPriceX96) ?? 0n
}

/** Starts a new hour or day when the event is the first in it; with the hour, the routes are looked for again. */
function beginPeriods(world: World, atSeconds: number): void {
  const hourStart = startOfHour(atSeconds)
  if (hourStart > world.hour.startSeconds) {
    restart(world.hour, hourStart)
    refindRoutes(world)
  }
  const dayStart = startOfDay(atSeconds)
  if (dayStart > world.day.startSeconds) restart(world.day, dayStart)
}

function restart(period: RunningPeriod, startSeconds: number): void {
  period.startSeconds = startSeconds
  period.pools.clear()
  period.tokens.clear()
  period.exchange = undefined
}

export function refindRoutes({ pools, tokens, routes, valuation }: World): void {
  const live = [...pools.values()].filter(({ tick }) => tick !== undefined)
  const { found } = findRoutes({ pools: live, decimals: listDecimals([...tokens.values()]), ...valuation })
  routes.clear()
  for (const [token, { route }] of found) routes.set(token, route)
}

function listDecimals(tokens: readonly TokenRow[]): ReadonlyMap<Address, number> {
  const pairs = tokens.flatMap(({ address, decimals }) => (decimals === undefined ? [] : [[address, decimals] as const]))
  return new Map(pairs)
}

/** A pool that has just become deep prices its token, and what hangs on it, at once and not from the next hour on. */
function noticeDepth(world: World, address: Address): void {
  const pool = world.pools.get(address) as Pool
  const [base, quote] = world.routes.has(pool.token1) ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
  if (world.routes.has(base) || !world.routes.has(quote)) return
  const hop = toHop(
    pool,
    quote,
    priceOf(world, quote),
    listDecimals([base, quote].flatMap((token) => world.tokens.get(token) ?? [])),
  )
  if (hop && hop.depthUsdE18 >= world.valuation.depthFloorUsdE18) refindRoutes(world)
}

type Sides = { readonly token0: Address; readonly token1: Address; readonly usd: readonly [bigint, bigint] }

/** A swap is worth what its side nearer to US dollars is, anything else what both sides are. */
function valueEvent(world: World, event: Swap | PoolEvent, { token0, token1, usd }: Sides): bigint {
  if (event.kind === 'initialize') return 0n
  const value0 = dollarsOf(world, token0, absolute(event.amount0), usd[0])
  const value1 = dollarsOf(world, token1, absolute(event.amount1), usd[1])
  if (event.kind !== 'swap') return value0 + value1
  const hops = (token: Address) => world.routes.get(token)?.length ?? Number.POSITIVE_INFINITY
  return hops(token0) < hops(token1) ? value0 : value1
}

function dollarsOf({ tokens }: World, token: Address, amountRaw: bigint, usdE18: bigint): bigint {
  if (amountRaw <= 0n || usdE18 === 0n) return 0n
  return (amountRaw * usdE18) / 10n ** BigInt(tokens.get(token)?.decimals ?? 0)
}

/** An Initialize is no transaction of the pool, as in the subgraph. */
function countOf({ kind }: Swap | PoolEvent): 0 | 1 {
  return kind === 'initialize' ? 0 : 1
}

function toTraded(event: Swap | PoolEvent, usdE18: bigint, fee: number): Traded {
  if (event.kind !== 'swap') return { volume0: 0n, volume1: 0n, volumeUsdE18: 0n, feesUsdE18: 0n }
  return {
    volume0: absolute(event.amount0),
    volume1: absolute(event.amount1),
    volumeUsdE18: usdE18,
    feesUsdE18: (usdE18 * BigInt(fee)) / 1_000_000n,
  }
}

function foldTotals(pool: PoolState, event: Swap | PoolEvent, { traded, usdE18 }: { traded: Traded; usdE18: bigint }): PoolState {
  const collected = event.kind === 'collect' ? event : undefined
  return {
    sqrtPriceX96: pool.sqrtPriceX96,
    tick: pool.tick,
    liquidity: pool.liquidity,
    reserve0: pool.reserve0,
    reserve1: pool.reserve1,
    totalVolume0: pool.totalVolume0 + traded.volume0,
    totalVolume1: pool.totalVolume1 + traded.volume1,
    totalVolumeUsdE18: pool.totalVolumeUsdE18 + traded.volumeUsdE18,
    totalFeesUsdE18: pool.totalFeesUsdE18 + traded.feesUsdE18,
    collected0: pool.collected0 + (collected?.amount0 ?? 0n),
    collected1: pool.collected1 + (collected?.amount1 ?? 0n),
    collectedUsdE18: pool.collectedUsdE18 + (collected ? usdE18 : 0n),
    tvlUsdE18: pool.tvlUsdE18,
    txCount: pool.txCount + countOf(event),
    feeGrowth0: pool.feeGrowth0,
    feeGrowth1: pool.feeGrowth1,
  }
}

type TokenShare = {
  readonly txCount: number
  readonly delta: bigint
  readonly volume: bigint
  readonly traded: Traded
  readonly usdE18: bigint
}

function foldToken(world: World, address: Address, { txCount, delta, volume, traded, usdE18 }: TokenShare): void {
  const before = world.tokens.get(address)
  if (!before) return
  const state = {
    reserve: before.reserve + delta,
    totalVolume: before.totalVolume + volume,
    totalVolumeUsdE18: before.totalVolumeUsdE18 + traded.volumeUsdE18,
    totalFeesUsdE18: before.totalFeesUsdE18 + traded.feesUsdE18,
    txCount: before.txCount + txCount,
    priceUsdE18: usdE18,
  }
  world.tokens.set(address, { ...before, ...state })
  const share = { volume, volumeUsdE18: traded.volumeUsdE18, feesUsdE18: traded.feesUsdE18 }
  for (const period of [world.hour, world.day]) {
    const { startSeconds } = period
    period.tokens.set(address, foldTokenPeriod(period.tokens.get(address), address, { state, traded: share, startSeconds }))
  }
}
