import { sqrtPriceX96AtTick } from '@chainboard/core'
import { type Emitted, emitSwap } from '../simulation/modelLogs.ts'
import { type ModelToken, newPool, openPool, priceOf } from '../simulation/modelMarket.ts'
import { type ModelPool, swapPool } from '../simulation/modelPool.ts'
import type { Random } from '../simulation/random.ts'

/** A pool that trades round and round, so that its state after any number of swaps is known at once. */
export type FabricatedPool = {
  readonly address: string
  /** Its creation, price and liquidity: what its first block holds. */
  readonly opening: readonly Emitted[]
  stateAfter(swaps: number): ModelPool
  /** Its swap of that number, from 0. */
  swap(number: number, tx: number): Emitted
  /** The swaps of its round: the pool after each, in the first round, and what it moved. */
  readonly round: readonly Step[]
}

export type PoolPlan = {
  readonly factory: string
  readonly base: ModelToken
  readonly quote: ModelToken
  readonly fee: number
  /** Whole quote tokens for a whole base token. */
  readonly price: number
  readonly liquidity: bigint
}

/** Swaps until the price is where it began. */
export const roundSwaps = 48
/** How far the price moves from where it began, in tick spacings: inside the liquidity around it. */
const spacingsMax = 30
const q256 = 1n << 256n
const endless = 1n << 200n

/** A step of the round. */
type Step = { readonly pool: ModelPool; readonly amount0: bigint; readonly amount1: bigint }

export function fabricatePool(random: Random, plan: PoolPlan): FabricatedPool {
  const { base, quote, price, liquidity, factory } = plan
  const bare = newPool(base, quote, plan.fee)
  const { emitted, pool: opened } = openPool(factory, bare, priceOf(bare, base, quote, price), liquidity, 0)
  const steps = playRound(random, opened)
  const last = (steps.at(-1) as Step).pool
  const [round0, round1] = [last.feeGrowth0X128, last.feeGrowth1X128]

  const stateAfter = (swaps: number): ModelPool => {
    const inRound = swaps % roundSwaps
    const pool = inRound === 0 ? opened : (steps[inRound - 1] as Step).pool
    const rounds = BigInt((swaps - inRound) / roundSwaps)
    return {
      ...pool,
      feeGrowth0X128: (pool.feeGrowth0X128 + rounds * round0) % q256,
      feeGrowth1X128: (pool.feeGrowth1X128 + rounds * round1) % q256,
    }
  }
  return {
    address: bare.address,
    opening: emitted,
    round: steps,
    stateAfter,
    swap: (number, tx) => {
      const { pool, amount0, amount1 } = steps[number % roundSwaps] as Step
      return emitSwap({ pool, tx }, amount0, amount1)
    },
  }
}

/** From price to price, and back to the first one. */
function playRound(random: Random, opened: ModelPool): Step[] {
  const targets = Array.from({ length: roundSwaps - 1 }, () => {
    const tick = opened.tick + random.int(-spacingsMax, spacingsMax) * opened.tickSpacing
    return sqrtPriceX96AtTick(tick) + 12_345n
  }).filter((target, i, all) => target !== (i === 0 ? opened.sqrtPriceX96 : all[i - 1]))
  while (targets.length < roundSwaps - 1) targets.push((targets.at(-1) as bigint) + 1_000_003n)
  const steps: Step[] = []
  let pool = opened
  for (const target of [...targets, opened.sqrtPriceX96]) {
    const step = swapPool(pool, target < pool.sqrtPriceX96, endless, target)
    steps.push(step)
    pool = step.pool
  }
  if (pool.tick !== opened.tick || pool.liquidity !== opened.liquidity) throw new Error('The round does not end where it began')
  return steps
}
