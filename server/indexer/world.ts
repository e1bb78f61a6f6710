import {
  type Address,
  absolute,
  executableDepth,
  getFrom,
  type PricedToken,
  type RouteRules,
  startOfDay,
  startOfHour,
  sumWeights,
  type TickList,
  tenTo,
} from '@chainboard/core'
import type { ExchangePeriod } from '../store/exchangePeriods.ts'
import type { FeeProtocolChange } from '../store/feeProtocols.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { PoolPeriod } from '../store/poolPeriods.ts'
import type { PoolStanding, PoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import type { Swap } from '../store/swaps.ts'
import type { TokenPeriod } from '../store/tokenPeriods.ts'
import type { TokenRow } from '../store/tokens.ts'
import { type FeeGrowth, type Misfit, type Witnessed, witnessEvent } from '../witness/witnessEvent.ts'
import { foldExchangePeriod, foldPeriod, foldState, foldTokenPeriod, type Traded } from './foldEvents.ts'
import { noteMoment, type PoolWindow } from './poolWindows.ts'
import { addToPlan, emptyPlan, isNamedQuote, keepPlan, makePlan, type PriceOf, type PricePlan, priceTokens } from './pricePlan.ts'
import { trustTokens } from './trustTokens.ts'

/** How events are valued in US dollars. */
export type Valuation = RouteRules & {
  /** Seconds over which prices are medians. */
  readonly windowSeconds: number
}

/** A running hour or day: the rows of all that something happened to in it, and when it started. */
export type RunningPeriod = {
  startSeconds: number
  readonly pools: Map<Address, PoolPeriod>
  readonly tokens: Map<Address, TokenPeriod>
  exchange: ExchangePeriod | undefined
}

/**
 * Everything that the next block is folded into, as it stands after the block before: it changes in place, in the order of
 * the chain. Whatever it holds follows from the events alone, so a world rebuilt from the store is the same.
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
  /** Prices and depths at the ends of the last blocks, of pools that they changed in. */
  readonly windows: Map<Address, PoolWindow>
  /** Made when the hour began, and again at the end of a block that it does not fit. */
  readonly plan: PricePlan
  /** Of all pools. */
  tvlUsdE18: bigint
}

type PoolChange = Swap | PoolEvent

/** What became of an event. */
export type Folded = {
  readonly event: PoolChange
  readonly usdE18: bigint
  readonly token0: Address
  readonly token1: Address
  /** What about it does not fit the events before it. */
  readonly misfit: Misfit | undefined
}

/** An hour or a day in which nothing has happened yet. @param startSeconds unix seconds; minus infinity before the first event */
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
    windows: new Map(),
    plan: emptyPlan(),
    tvlUsdE18: 0n,
  }
}

/**
 * Folds the events of one block into the world. They are valued at the prices of the block's end: what a pool shows in the middle
 * of a block may be gone at its end and cost nothing but a loan's fee, so it decides about no dollar and no route.
 * @param events all of a block, of pools in the world, in their order; no block folded already is later
 */
export function foldBlock(world: World, events: readonly (PoolChange | FeeProtocolChange)[]): Folded[] {
  const first = events.find((event) => event.kind !== 'setFeeProtocol')
  if (first) beginPeriods(world, first.timestampSeconds)
  const steps: Step[] = []
  for (const event of events) {
    if (event.kind === 'setFeeProtocol') world.feeProtocols.set(event.pool, event.feeProtocol)
    else steps.push(takeStep(world, event))
  }
  const atSeconds = steps[0]?.event.timestampSeconds
  if (atSeconds === undefined) return []
  const before = new Map<Address, Pool>()
  const tokens = new Set<Address>()
  for (const step of steps) {
    if (!before.has(step.event.pool)) before.set(step.event.pool, step.before)
    tokens.add(step.before.token0).add(step.before.token1)
  }
  measureDepths(world, before, atSeconds)
  // Before anything is valued: TVL counts at these prices, too.
  const price = keepPlan(world, tokens, atSeconds)
  const nativeUsdE18 = price(world.valuation.wrappedNative)?.usdE18 ?? 0n
  const trust = trustTokens(world, { price, nowSeconds: atSeconds, before })
  // Now: while the steps are folded, pools show what they were in the middle of the block.
  for (const token of tokens) trust(token)
  return steps.map((step) => foldStep(world, step, { price, trust, nativeUsdE18 }))
}

/** An event, the pool before it, and where it left the pool. */
type Step = {
  readonly event: PoolChange
  readonly before: Pool
  readonly standing: PoolStanding & FeeGrowth
  readonly misfit: Misfit | undefined
}

function takeStep(world: World, event: PoolChange): Step {
  const before = getFrom(world.pools, event.pool)
  const { misfit, ...growth } = witness(world, before, event)
  const standing = { ...foldState(before, event), ...growth }
  const swapped = event.kind === 'swap' ? event.timestampSeconds : undefined
  world.pools.set(event.pool, {
    ...before,
    ...standing,
    firstSwapAtSeconds: before.firstSwapAtSeconds ?? swapped,
    lastSwapAtSeconds: swapped ?? before.lastSwapAtSeconds,
  })
  return { event, before, standing, misfit }
}

/** Works out again how deep the block's pools are. @param befores what they were before it */
function measureDepths(world: World, befores: ReadonlyMap<Address, Pool>, atSeconds: number): void {
  const { windowSeconds } = world.valuation
  for (const [address, before] of befores) {
    const ticks = world.ticks.get(address)
    const pool = getFrom(world.pools, address)
    const after = ticks ? { ...pool, ...executableDepth(pool, ticks) } : pool
    world.pools.set(address, after)
    noteMoment(world.windows, address, { before, after, atSeconds, windowSeconds })
    if (before.tick === undefined) addToPlan(world, after)
  }
}

type Prices = {
  readonly price: PriceOf
  readonly trust: (token: Address) => number | undefined
  readonly nativeUsdE18: bigint
}

function foldStep(world: World, { event, before, standing, misfit }: Step, { price, trust, nativeUsdE18 }: Prices): Folded {
  const { token0, token1 } = before
  const priced = [price(token0), price(token1)] as const
  const usd = [priced[0]?.usdE18 ?? 0n, priced[1]?.usdE18 ?? 0n] as const
  const usdE18 = valueEvent(world, event, { token0, token1, priced })
  const traded = toTraded(event, usdE18, before.fee)
  const txCount = countOf(event)
  const pool = getFrom(world.pools, event.pool)
  const tvlUsdE18 =
    dollarsOf(world, token0, standing.reserve0, priced[0]) + dollarsOf(world, token1, standing.reserve1, priced[1])
  const after = foldTotals(pool, event, { standing, traded, usdE18, tvlUsdE18 })
  world.pools.set(event.pool, { ...pool, ...after })
  world.tvlUsdE18 += tvlUsdE18 - pool.tvlUsdE18
  foldToken(world, token0, {
    txCount,
    delta: standing.reserve0 - before.reserve0,
    volume: traded.volume0,
    traded,
    usdE18: usd[0],
    trust: trust(token0),
  })
  foldToken(world, token1, {
    txCount,
    delta: standing.reserve1 - before.reserve1,
    volume: traded.volume1,
    traded,
    usdE18: usd[1],
    trust: trust(token1),
  })
  const end = { tvlUsdE18: world.tvlUsdE18, nativeUsdE18, txCount }
  for (const period of [world.hour, world.day]) {
    const { startSeconds } = period
    period.pools.set(event.pool, foldPeriod(period.pools.get(event.pool), event, { state: after, traded, startSeconds }))
    period.exchange = foldExchangePeriod(period.exchange, traded, { ...end, startSeconds })
  }
  return { event, usdE18, token0, token1, misfit }
}

/** Without the pool's ticks nothing is known of its fees and nothing is doubted. */
function witness({ ticks, feeProtocols }: World, before: Pool, event: PoolChange): Witnessed {
  const list = ticks.get(event.pool)
  if (!list) return { feeGrowth0: undefined, feeGrowth1: undefined, misfit: undefined }
  return witnessEvent({ ...before, feeProtocol: feeProtocols.get(event.pool) ?? 0 }, list, event)
}

/** US dollars x 10^18 per whole token at a moment; 0 without a route. */
export function priceOf(world: World, token: Address, atSeconds: number): bigint {
  return priceTokens(world, atSeconds)(token)?.usdE18 ?? 0n
}

/** Starts a new hour or day when the event is the first in it; with the hour, the plan is made again. */
function beginPeriods(world: World, atSeconds: number): void {
  const hourStart = startOfHour(atSeconds)
  if (hourStart > world.hour.startSeconds) {
    restart(world.hour, hourStart)
    makePlan(world, hourStart)
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

type PricedSide = PricedToken | undefined
type Sides = { readonly token0: Address; readonly token1: Address; readonly priced: readonly [PricedSide, PricedSide] }

/**
 * A swap is worth what its side in a quote of the network is, of two such sides the one nearer to US dollars. Without one it is worth the
 * less of both: nobody's own token makes a trade worth more than what was paid for it. Anything else is worth what both sides are.
 */
function valueEvent(world: World, event: PoolChange, { token0, token1, priced }: Sides): bigint {
  if (event.kind === 'initialize') return 0n
  const value0 = dollarsOf(world, token0, absolute(event.amount0), priced[0])
  const value1 = dollarsOf(world, token1, absolute(event.amount1), priced[1])
  if (event.kind !== 'swap') return value0 + value1
  if (!priced[0] || !priced[1]) return priced[0] ? value0 : value1
  const { valuation } = world
  const [named0, named1] = [isNamedQuote(valuation, token0), isNamedQuote(valuation, token1)]
  if (named0 !== named1) return named0 ? value0 : value1
  if (!named0) return value0 < value1 ? value0 : value1
  const hops0 = hopsOf(token0, priced[0], valuation.stables)
  const hops1 = hopsOf(token1, priced[1], valuation.stables)
  return hops0 < hops1 ? value0 : value1
}

/** Of two coins that count as a dollar the unit of account is nearer: no trade has to say that it is one. */
function hopsOf(token: Address, priced: PricedSide, [unit]: readonly Address[]): number {
  return token === unit ? -1 : (priced?.route.length ?? Number.POSITIVE_INFINITY)
}

/** More than there are: a token of somebody's own may be worth anything times anything, and sums have to fit into a column. */
const dollarsE18Max = 10n ** 48n
/**
 * No amount counts for more than so many times the depth behind its price: nobody could sell it for that. Liquidity at all prices is a
 * hundred times what trades within 2 % of one.
 */
const depthsMax = 300n

/** US dollars x 10^18 of an amount in smallest units, bounded by what is behind the price, unless the network names it as a coin; 0 without one. */
export function dollarsOf({ tokens, valuation }: World, token: Address, amountRaw: bigint, priced: PricedSide): bigint {
  if (!priced || amountRaw <= 0n || priced.usdE18 === 0n) return 0n
  const dollarsE18 = (amountRaw * priced.usdE18) / tenTo(tokens.get(token)?.decimals ?? 0)
  const { settled, agreeing } = priced
  const isBounded = settled.depthUsdE18 !== undefined && !valuation.stables.includes(token)
  const mostE18 = isBounded ? (settled.depthUsdE18 + sumWeights(agreeing)) * depthsMax : dollarsE18Max
  return dollarsE18 > mostE18 ? mostE18 : dollarsE18
}

/** An Initialize is no transaction of the pool, as in the subgraph. */
function countOf({ kind }: PoolChange): 0 | 1 {
  return kind === 'initialize' ? 0 : 1
}

function toTraded(event: PoolChange, usdE18: bigint, fee: number): Traded {
  if (event.kind !== 'swap') return { volume0: 0n, volume1: 0n, volumeUsdE18: 0n, feesUsdE18: 0n }
  return {
    volume0: absolute(event.amount0),
    volume1: absolute(event.amount1),
    volumeUsdE18: usdE18,
    feesUsdE18: (usdE18 * BigInt(fee)) / 1_000_000n,
  }
}

type Worth = {
  readonly standing: PoolStanding & FeeGrowth
  readonly traded: Traded
  readonly usdE18: bigint
  readonly tvlUsdE18: bigint
}

function foldTotals(pool: PoolState, event: PoolChange, { standing, traded, usdE18, tvlUsdE18 }: Worth): PoolState {
  const collected = event.kind === 'collect' ? event : undefined
  return {
    ...standing,
    totalVolume0: pool.totalVolume0 + traded.volume0,
    totalVolume1: pool.totalVolume1 + traded.volume1,
    totalVolumeUsdE18: pool.totalVolumeUsdE18 + traded.volumeUsdE18,
    totalFeesUsdE18: pool.totalFeesUsdE18 + traded.feesUsdE18,
    collected0: pool.collected0 + (collected?.amount0 ?? 0n),
    collected1: pool.collected1 + (collected?.amount1 ?? 0n),
    collectedUsdE18: pool.collectedUsdE18 + (collected ? usdE18 : 0n),
    tvlUsdE18,
    txCount: pool.txCount + countOf(event),
  }
}

type TokenShare = {
  readonly txCount: number
  readonly delta: bigint
  readonly volume: bigint
  readonly traded: Traded
  readonly usdE18: bigint
  readonly trust: number | undefined
}

function foldToken(world: World, address: Address, { txCount, delta, volume, traded, usdE18, trust }: TokenShare): void {
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
    const known = period.tokens.get(address)
    period.tokens.set(address, foldTokenPeriod(known, address, { state, traded: share, trust, startSeconds }))
  }
}
