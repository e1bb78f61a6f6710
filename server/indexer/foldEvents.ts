import { type Address, absolute } from '@chainboard/core'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { PoolPeriod } from '../store/poolPeriods.ts'
import type { PoolState } from '../store/poolState.ts'
import type { Swap } from '../store/swaps.ts'

export const hourSeconds = 3_600
export const daySeconds = 86_400

export function startOfPeriod(seconds: number, periodSeconds: number): number {
  return seconds - (seconds % periodSeconds)
}

/** A pool's state after one more event. Liquidity is that in force at the current tick. */
export function foldState(before: PoolState, event: Swap | PoolEvent): PoolState {
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
      return { ...before, reserve0: before.reserve0 + event.amount0, reserve1: before.reserve1 + event.amount1 }
  }
}

/**
 * An hour after one more event in it. As in the subgraph, the open of a new hour is the price after its first event, not the
 * former close.
 * @param hour what is known of the event's hour; undefined when the event is its first
 * @param state the pool's state after the event
 */
export function foldHour(hour: PoolPeriod | undefined, event: Swap | PoolEvent, state: PoolState): PoolPeriod {
  const price = state.sqrtPriceX96
  const swapped = event.kind === 'swap'
  return {
    ...state,
    pool: event.pool,
    startSeconds: hour?.startSeconds ?? startOfPeriod(event.timestampSeconds, hourSeconds),
    open: hour?.open ?? price,
    high: hour && hour.high > price ? hour.high : price,
    low: hour && hour.low < price ? hour.low : price,
    volume0: (hour?.volume0 ?? 0n) + (swapped ? absolute(event.amount0) : 0n),
    volume1: (hour?.volume1 ?? 0n) + (swapped ? absolute(event.amount1) : 0n),
    swapCount: (hour?.swapCount ?? 0) + (swapped ? 1 : 0),
    eventCount: (hour?.eventCount ?? 0) + 1,
  }
}

/** The UTC day that these hours of one pool make up. @param hours of one day, ascending, at least one */
function foldDay(hours: readonly [PoolPeriod, ...PoolPeriod[]]): PoolPeriod {
  const first = hours[0]
  const last = hours.at(-1) as PoolPeriod
  const sum = (of: (hour: PoolPeriod) => bigint) => hours.reduce((total, hour) => total + of(hour), 0n)
  return {
    ...last,
    startSeconds: startOfPeriod(first.startSeconds, daySeconds),
    open: first.open,
    high: hours.reduce((high, hour) => (hour.high > high ? hour.high : high), first.high),
    low: hours.reduce((low, hour) => (hour.low < low ? hour.low : low), first.low),
    volume0: sum(({ volume0 }) => volume0),
    volume1: sum(({ volume1 }) => volume1),
    swapCount: hours.reduce((total, { swapCount }) => total + swapCount, 0),
    eventCount: hours.reduce((total, { eventCount }) => total + eventCount, 0),
  }
}

/** Hours of many pools -> their days. Every day given must be given with all of its hours. */
export function foldDays(hours: readonly PoolPeriod[]): PoolPeriod[] {
  const days = Map.groupBy(hours, ({ pool, startSeconds }) => periodKey(pool, startOfPeriod(startSeconds, daySeconds)))
  return [...days.values()].map((group) => foldDay(group as [PoolPeriod, ...PoolPeriod[]]))
}

export function periodKey(pool: Address, startSeconds: number): string {
  return `${pool}@${startSeconds}`
}
