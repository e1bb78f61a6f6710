import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { PoolPeriod } from '../store/poolPeriods.ts'
import { emptyPoolState, type PoolStanding } from '../store/poolState.ts'
import type { Swap } from '../store/swaps.ts'
import { foldPeriod, foldState, mergePoolHours, type Traded } from './foldEvents.ts'

const pool = `0x${'aa'.repeat(20)}` as Address
const owner = `0x${'bb'.repeat(20)}` as Address
const place = (timestampSeconds: number) => ({ blockNumber: 1, logIndex: 0, txHash: '0x01' as Hex, pool, timestampSeconds })

const initialize = (sqrtPriceX96: bigint, tick: number): PoolEvent => ({
  ...place(7_200),
  kind: 'initialize',
  sqrtPriceX96,
  tick,
})
const change = (kind: 'mint' | 'burn' | 'collect', tickLower: number, tickUpper: number, amount: bigint): PoolEvent => ({
  ...place(7_200),
  kind,
  owner,
  tickLower,
  tickUpper,
  amount: kind === 'collect' ? undefined : amount,
  amount0: 70n,
  amount1: 30n,
  sender: undefined,
})
const swap = (sqrtPriceX96: bigint, amount0: bigint, amount1: bigint, atSeconds = 7_200): Swap => ({
  ...place(atSeconds),
  kind: 'swap',
  sender: owner,
  recipient: owner,
  amount0,
  amount1,
  sqrtPriceX96,
  liquidity: 900n,
  tick: 12,
})

const after = (events: readonly (Swap | PoolEvent)[]): PoolStanding => events.reduce<PoolStanding>(foldState, emptyPoolState)

describe('the state of a pool', () => {
  it('counts liquidity only where the price is: from the lower tick on, below the upper one', () => {
    const at = (tick: number) => after([initialize(5n, tick), change('mint', -60, 60, 1_000n)]).liquidity
    expect([-61, -60, 0, 59, 60].map(at)).toEqual([0n, 1_000n, 1_000n, 1_000n, 0n])
  })

  it('keeps in its reserves what a burn frees until it is collected', () => {
    const minted = [initialize(5n, 0), change('mint', -60, 60, 1_000n)]
    expect(after(minted)).toMatchObject({ liquidity: 1_000n, reserve0: 70n, reserve1: 30n })
    expect(after([...minted, change('burn', -60, 60, 400n)])).toMatchObject({ liquidity: 600n, reserve0: 70n, reserve1: 30n })
    expect(after([...minted, change('burn', -60, 60, 400n), change('collect', -60, 60, 0n)])).toMatchObject({
      liquidity: 600n,
      reserve0: 0n,
      reserve1: 0n,
    })
  })

  it('is what the swap says it left, and its reserves take both amounts with their sign', () => {
    expect(after([initialize(5n, 0), change('mint', -60, 60, 1_000n), swap(6n, 25n, -20n)])).toMatchObject({
      sqrtPriceX96: 6n,
      tick: 12,
      liquidity: 900n,
      reserve0: 95n,
      reserve1: 10n,
    })
  })

  it('earns the fees of flash loans', () => {
    const flash: PoolEvent = {
      ...place(7_200),
      kind: 'flash',
      sender: owner,
      recipient: owner,
      amount0: 900n,
      amount1: 800n,
      paid0: 3n,
      paid1: 4n,
    }
    expect(after([initialize(5n, 0), flash])).toMatchObject({ reserve0: 3n, reserve1: 4n, sqrtPriceX96: 5n })
  })
})

/** 7 dollars and a fee of 1 for every swap. */
function tradedBy(event: Swap | PoolEvent): Traded {
  if (event.kind !== 'swap') return { volume0: 0n, volume1: 0n, volumeUsdE18: 0n, feesUsdE18: 0n }
  const size = (amount: bigint) => (amount < 0n ? -amount : amount)
  return { volume0: size(event.amount0), volume1: size(event.amount1), volumeUsdE18: 7n, feesUsdE18: 1n }
}

/** Hours of one pool out of events, oldest first. */
function hoursOf(events: readonly (Swap | PoolEvent)[]): PoolPeriod[] {
  const hours = new Map<number, PoolPeriod>()
  let state = emptyPoolState
  for (const event of events) {
    state = { ...state, ...foldState(state, event) }
    const startSeconds = Math.floor(event.timestampSeconds / 3_600) * 3_600
    hours.set(startSeconds, foldPeriod(hours.get(startSeconds), event, { state, traded: tradedBy(event), startSeconds }))
  }
  return [...hours.values()]
}

describe('hours and days', () => {
  const events = [
    swap(10n, 5n, -5n, 7_201),
    swap(14n, -3n, 4n, 8_000),
    swap(8n, 2n, -1n, 10_799),
    swap(9n, 1n, -1n, 10_800),
    swap(20n, 1n, -1n, 86_400),
  ]

  it('open with the price after their first event, as in the subgraph, and add up absolute amounts', () => {
    expect(hoursOf(events)).toMatchObject([
      {
        startSeconds: 7_200,
        open: 10n,
        high: 14n,
        low: 8n,
        sqrtPriceX96: 8n,
        volume0: 10n,
        volume1: 10n,
        swapCount: 3,
        eventCount: 3,
      },
      { startSeconds: 10_800, open: 9n, high: 9n, low: 9n, sqrtPriceX96: 9n, volume0: 1n, swapCount: 1 },
      { startSeconds: 86_400, open: 20n, high: 20n, low: 20n, sqrtPriceX96: 20n },
    ])
  })

  it('make days from midnight to midnight, UTC', () => {
    const hours = hoursOf(events)
    const firstDay = hours.filter(({ startSeconds }) => startSeconds < 86_400)
    expect(mergePoolHours(firstDay as [PoolPeriod, ...PoolPeriod[]], firstDay.at(-1) as PoolPeriod)).toMatchObject({
      startSeconds: 0,
      open: 10n,
      high: 14n,
      low: 8n,
      sqrtPriceX96: 9n,
      volume0: 11n,
      volume1: 11n,
      volumeUsdE18: 28n,
      feesUsdE18: 4n,
      swapCount: 4,
      eventCount: 4,
    })
    expect(mergePoolHours([hours.at(-1) as PoolPeriod], hours.at(-1) as PoolPeriod)).toMatchObject({
      startSeconds: 86_400,
      open: 20n,
      sqrtPriceX96: 20n,
      swapCount: 1,
    })
  })

  it('count events that are no swaps, without volume', () => {
    expect(hoursOf([initialize(5n, 0), change('mint', -60, 60, 1_000n)])).toMatchObject([
      { open: 5n, swapCount: 0, eventCount: 2, volume0: 0n, volume1: 0n, liquidity: 1_000n, reserve0: 70n },
    ])
  })
})
