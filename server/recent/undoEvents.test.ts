import { type Address, createTickList } from '@chainboard/core'
import { expect, it } from 'vitest'
import { parseLog } from '../chain/parseAnswer.ts'
import { decodeLog } from '../indexer/decodeLog.ts'
import { foldState } from '../indexer/foldEvents.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { PoolStanding } from '../store/poolState.ts'
import type { Swap } from '../store/swaps.ts'
import { type ModelBlock, place } from '../testing/simulation/modelChain.ts'
import { addressOf } from '../testing/simulation/modelLogs.ts'
import { growMarket, openMarket } from '../testing/simulation/modelMarket.ts'
import type { ModelPool } from '../testing/simulation/modelPool.ts'
import { createRandom } from '../testing/simulation/random.ts'
import type { PoolAtBlock } from './readPools.ts'
import { createUndoing } from './undoEvents.ts'

// Pools of the model trade, mint, burn, collect and lend; the events are taken back, and the pools have to be what they were.

const factory = addressOf('a factory')

/** As contracts would tell it. */
function toPool(pool: ModelPool): PoolAtBlock {
  return {
    ...{ address: pool.address as Address, token0: pool.token0 as Address, token1: pool.token1 as Address },
    ...{ fee: pool.fee, tickSpacing: pool.tickSpacing, sqrtPriceX96: pool.sqrtPriceX96, liquidity: pool.liquidity },
    ...{ tick: pool.sqrtPriceX96 === 0n ? undefined : pool.tick, reserve0: pool.balance0, reserve1: pool.balance1 },
    ticks: createTickList(pool.ticks),
    hasTraded: pool.feeGrowth0X128 > 0n || pool.feeGrowth1X128 > 0n,
  }
}

function play(seed: string, blocks: number) {
  const random = createRandom(seed)
  let { pools } = openMarket(factory)
  const before = pools
  const events: (Swap | PoolEvent)[] = []
  for (let number = 1; number <= blocks; number += 1) {
    const grown = growMarket({ random, factory, pools, activity: 4, quiet: false })
    pools = grown.pools as typeof pools
    const block = { number, hash: `0x${'0'.repeat(63)}1`, timestampSeconds: 1_000 + number } as unknown as ModelBlock
    for (const log of place(grown.emitted, block)) {
      const event = decodeLog({ ...parseLog(log), timestampSeconds: 1_000 + number })
      if (event && event.kind !== 'poolCreated' && event.kind !== 'setFeeProtocol') events.push(event)
    }
  }
  return { before, after: pools, events }
}

it.each(Array.from({ length: 25 }, (_, i) => `seed ${i}`))('what happened to pools is taken back: %s', (seed) => {
  const { before, after, events } = play(seed, 40)
  const undoing = createUndoing()
  for (let i = 0; i < events.length; i += 7) undoing.add(events.slice(i, i + 7))
  for (const pool of after.values()) {
    const known = before.get(pool.address)
    const undone = undoing.undo(toPool(pool))
    if (!known) {
      expect(undone).toMatchObject({ sqrtPriceX96: 0n, tick: undefined, liquidity: 0n, reserve0: 0n, reserve1: 0n })
      continue
    }
    const { sqrtPriceX96, ...truth } = toPool(known)
    expect(undone).toMatchObject({ liquidity: truth.liquidity, ticks: { order: truth.ticks.order } })
    // The model's pools open a hair above a tick: what is rounded may lie below it.
    expect(Math.abs((undone.tick as number) - (truth.tick as number))).toBeLessThanOrEqual(1)
    // Some balances of the model move without an event: those of its end are what counts.
    const own = events.filter((event) => event.pool === pool.address)
    const { reserve0, reserve1, liquidity } = own.reduce<PoolStanding>(foldState, undone)
    expect([reserve0, reserve1, liquidity]).toEqual([pool.balance0, pool.balance1, pool.liquidity])
    expect(undone.ticks.byTick).toEqual(truth.ticks.byTick)
    expect(Math.abs(Number(undone.sqrtPriceX96) / Number(sqrtPriceX96) - 1)).toBeLessThan(1e-12)
  }
})

it('knows what of the ticks it needs: where prices were, and what bounded positions', () => {
  const { events, before } = play('ticks', 40)
  const undoing = createUndoing()
  undoing.add(events)
  const swaps = events.filter((event) => event.kind === 'swap')
  const [first] = swaps
  const wanted = undoing.ticksWanted().get(first?.pool as Address)
  const ticks = swaps.filter(({ pool }) => pool === first?.pool).map(({ tick }) => tick)
  expect(wanted).toMatchObject({ lowest: Math.min(...ticks), highest: Math.max(...ticks) })
  const bounds = events.flatMap((event) =>
    (event.kind === 'mint' || event.kind === 'burn') && event.pool === first?.pool ? [event.tickLower, event.tickUpper] : [],
  )
  expect(wanted?.others).toEqual(new Set(bounds))
  expect(before.size).toBe(2)
})
