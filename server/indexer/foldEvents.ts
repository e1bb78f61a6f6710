import { type Address, startOfDay } from '@chainboard/core'
import type { ExchangePeriod } from '../store/exchangePeriods.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { PoolPeriod, PoolShare } from '../store/poolPeriods.ts'
import type { PoolStanding, PoolState, PoolSums } from '../store/poolState.ts'
import type { Swap } from '../store/swaps.ts'
import type { TokenPeriod, TokenShare } from '../store/tokenPeriods.ts'
import type { TokenState, TokenSums } from '../store/tokenState.ts'

/** A pool's state after one more event. Liquidity is that in force at the current tick. */
export function foldState(pool: PoolStanding, event: Swap | PoolEvent): PoolStanding {
  // Whatever else a pool has stays out: it would be taken for what the event left.
  const { sqrtPriceX96, tick, liquidity, reserve0, reserve1 } = pool
  const before: PoolStanding = { sqrtPriceX96, tick, liquidity, reserve0, reserve1 }
  switch (event.kind) {
    case 'initialize':
      return { ...before, sqrtPriceX96: event.sqrtPriceX96, tick: event.tick }
    case 'swap':
      return {
        sqrtPriceX96: event.sqrtPriceX96,
        tick: event.tick,
        liquidity: event.liquidity,
        reserve0: before.reserve0 + event.amount0,
        reserve1: before.reserve1 + event.amount1,
      }
    case 'mint':
    case 'burn': {
      const sign = event.kind === 'mint' ? 1n : -1n
      const inRange = before.tick !== undefined && event.tickLower <= before.tick && before.tick < event.tickUpper
      // What a burn frees stays in the pool until it is collected.
      const moved = event.kind === 'mint' ? 1n : 0n
      return {
        ...before,
        liquidity: inRange ? before.liquidity + sign * (event.amount ?? 0n) : before.liquidity,
        reserve0: before.reserve0 + moved * event.amount0,
        reserve1: before.reserve1 + moved * event.amount1,
      }
    }
    case 'collect':
      return { ...before, reserve0: before.reserve0 - event.amount0, reserve1: before.reserve1 - event.amount1 }
    case 'flash':
      return { ...before, reserve0: before.reserve0 + event.paid0, reserve1: before.reserve1 + event.paid1 }
  }
}

/** What an event traded; US dollars x 10^18, amounts absolute and in smallest units. All 0 for what is no swap. */
export type Traded = {
  readonly volume0: bigint
  readonly volume1: bigint
  readonly volumeUsdE18: bigint
  readonly feesUsdE18: bigint
}

/**
 * An hour or a day after one more event in it. As in the subgraph, the open of a new one is the price after its first event,
 * not the former close.
 * @param period what is known of the event's period; undefined when the event is its first
 * @param state the pool's state after the event
 */
export function foldPeriod(
  period: PoolPeriod | undefined,
  { pool, kind }: Swap | PoolEvent,
  { state, traded, startSeconds }: { state: PoolState; traded: Traded; startSeconds: number },
): PoolPeriod {
  const price = state.sqrtPriceX96
  return {
    ...state,
    pool,
    startSeconds,
    open: period?.open ?? price,
    high: period && period.high > price ? period.high : price,
    low: period && period.low < price ? period.low : price,
    volume0: (period?.volume0 ?? 0n) + traded.volume0,
    volume1: (period?.volume1 ?? 0n) + traded.volume1,
    volumeUsdE18: (period?.volumeUsdE18 ?? 0n) + traded.volumeUsdE18,
    feesUsdE18: (period?.feesUsdE18 ?? 0n) + traded.feesUsdE18,
    swapCount: (period?.swapCount ?? 0) + (kind === 'swap' ? 1 : 0),
    eventCount: (period?.eventCount ?? 0) + 1,
  }
}

/** A token's hour or day after one more event of a pool of its. A price of 0 is none, and sets neither open nor low. @param volume in its smallest units */
export function foldTokenPeriod(
  period: TokenPeriod | undefined,
  token: Address,
  {
    state,
    traded,
    trust,
    startSeconds,
  }: {
    state: TokenState
    traded: Omit<Traded, 'volume0' | 'volume1'> & { volume: bigint }
    trust: number | undefined
    startSeconds: number
  },
): TokenPeriod {
  const price = state.priceUsdE18
  return {
    ...state,
    token,
    startSeconds,
    open: period?.open || price,
    high: period && period.high > price ? period.high : price,
    low: lowest(period?.low ?? 0n, price),
    trust: leastTrust(period?.trust, trust),
    volume: (period?.volume ?? 0n) + traded.volume,
    volumeUsdE18: (period?.volumeUsdE18 ?? 0n) + traded.volumeUsdE18,
    feesUsdE18: (period?.feesUsdE18 ?? 0n) + traded.feesUsdE18,
  }
}

/** The hour or day of the whole exchange after one more event. @param txCount what the event counts: an Initialize nothing */
export function foldExchangePeriod(
  period: ExchangePeriod | undefined,
  { volumeUsdE18, feesUsdE18 }: Traded,
  { txCount, ...end }: { startSeconds: number; tvlUsdE18: bigint; nativeUsdE18: bigint; txCount: number },
): ExchangePeriod {
  return {
    ...end,
    volumeUsdE18: (period?.volumeUsdE18 ?? 0n) + volumeUsdE18,
    feesUsdE18: (period?.feesUsdE18 ?? 0n) + feesUsdE18,
    txCount: (period?.txCount ?? 0) + txCount,
  }
}

/** What a pool had traded after some of its hours. @param before what it had traded before the first of them */
export function sumPoolHours(before: PoolSums, hours: readonly PoolShare[]): PoolSums {
  return {
    totalVolume0: before.totalVolume0 + sum(hours, 'volume0'),
    totalVolume1: before.totalVolume1 + sum(hours, 'volume1'),
    totalVolumeUsdE18: before.totalVolumeUsdE18 + sum(hours, 'volumeUsdE18'),
    totalFeesUsdE18: before.totalFeesUsdE18 + sum(hours, 'feesUsdE18'),
  }
}

/** As `sumPoolHours`. */
export function sumTokenHours(before: TokenSums, hours: readonly TokenShare[]): TokenSums {
  return {
    totalVolume: before.totalVolume + sum(hours, 'volume'),
    totalVolumeUsdE18: before.totalVolumeUsdE18 + sum(hours, 'volumeUsdE18'),
    totalFeesUsdE18: before.totalFeesUsdE18 + sum(hours, 'feesUsdE18'),
  }
}

/** Hours of one UTC day, ascending -> that day. @param last the whole of the last of them */
export function mergePoolHours(hours: readonly [PoolShare, ...PoolShare[]], last: PoolPeriod): PoolPeriod {
  return {
    ...last,
    ...mergePrices(hours),
    volume0: sum(hours, 'volume0'),
    volume1: sum(hours, 'volume1'),
    volumeUsdE18: sum(hours, 'volumeUsdE18'),
    feesUsdE18: sum(hours, 'feesUsdE18'),
    swapCount: hours.reduce((total, { swapCount }) => total + swapCount, 0),
    eventCount: hours.reduce((total, { eventCount }) => total + eventCount, 0),
  }
}

/** As `mergePoolHours`. */
export function mergeTokenHours(hours: readonly [TokenShare, ...TokenShare[]], last: TokenPeriod): TokenPeriod {
  return {
    ...last,
    ...mergePrices(hours),
    trust: hours.reduce<number | undefined>((known, { trust }) => leastTrust(known, trust), undefined),
    volume: sum(hours, 'volume'),
    volumeUsdE18: sum(hours, 'volumeUsdE18'),
    feesUsdE18: sum(hours, 'feesUsdE18'),
  }
}

/** As `mergePoolHours`; the totals are those of the last hour. */
export function mergeExchangeHours(hours: readonly [ExchangePeriod, ...ExchangePeriod[]]): ExchangePeriod {
  return {
    ...(hours.at(-1) ?? hours[0]),
    startSeconds: startOfDay(hours[0].startSeconds),
    volumeUsdE18: sum(hours, 'volumeUsdE18'),
    feesUsdE18: sum(hours, 'feesUsdE18'),
    txCount: hours.reduce((total, { txCount }) => total + txCount, 0),
  }
}

type Priced = { readonly startSeconds: number; readonly open: bigint; readonly high: bigint; readonly low: bigint }

/** The day's start, open, high and low. */
function mergePrices(hours: readonly [Priced, ...Priced[]]): Priced {
  const first = hours[0]
  return {
    startSeconds: startOfDay(first.startSeconds),
    open: hours.find(({ open }) => open !== 0n)?.open ?? 0n,
    high: hours.reduce((high, hour) => (hour.high > high ? hour.high : high), first.high),
    low: hours.reduce((low, hour) => lowest(low, hour.low), 0n),
  }
}

function leastTrust(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

/** The lower of two prices; 0 is none. */
function lowest(a: bigint, b: bigint): bigint {
  if (a === 0n || b === 0n) return a + b
  return a < b ? a : b
}

function sum<K extends string>(hours: readonly { readonly [key in K]: bigint }[], key: K): bigint {
  return hours.reduce((total, hour) => total + hour[key], 0n)
}
