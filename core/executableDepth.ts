import { amount0Between, amount1Between } from './liquidityMath.ts'
import { sqrtPriceX96AtTick } from './tick.ts'
import { createTickList, placeOf, type TickList } from './tickList.ts'

/** Where a pool stands. `sqrtPriceX96` is 0 before it was opened. */
export type DepthPool = { readonly sqrtPriceX96: bigint; readonly tick: number | undefined; readonly liquidity: bigint }

/**
 * What can really be traded within 2 % of a pool's price, in smallest units: the smaller of both directions. `depth0` in
 * token0, for a token that is priced in token0; `depth1` in token1.
 */
export type Depth = { readonly depth0: bigint; readonly depth1: bigint }

/** Of a pool in which nothing trades, as before it is opened. */
export const noDepth: Depth = { depth0: 0n, depth1: 0n }

/** sqrt(1.02), to 18 decimals. */
const rootE18 = 1_009_950_493_836_207_796n
/** sqrt(1.1), to 18 decimals. */
const reachRootE18 = 1_048_808_848_170_151_547n
const oneE18 = 10n ** 18n

/**
 * Walks the ticks from the price to 2 % over and 2 % under it. Liquidity on one side alone buys or sells, and never both: such
 * a pool has no depth. Fees are left out. Pure.
 */
export function executableDepth(pool: DepthPool, ticks: TickList): Depth {
  return tradedWithin(pool, ticks, rootE18)
}

/** The same within 10 % of the price: what it takes to move it so far, the easier way. Pure. */
export function executableReach(pool: DepthPool, ticks: TickList): Depth {
  return tradedWithin(pool, ticks, reachRootE18)
}

function tradedWithin(pool: DepthPool, ticks: TickList, rootE18: bigint): Depth {
  const moved = movedWithin(pool, ticks, rootE18)
  if (!moved) return noDepth
  const { up, down } = moved
  return { depth0: smaller(up.amount0, down.amount0), depth1: smaller(up.amount1, down.amount1) }
}

/** @returns undefined for a pool that was never opened */
function movedWithin({ sqrtPriceX96, tick, liquidity }: DepthPool, ticks: TickList, rootE18: bigint): TwoSidedDepth | undefined {
  if (tick === undefined || sqrtPriceX96 === 0n) return undefined
  const at = placeOf(ticks.order, tick + 1)
  const up = sum({ sqrtPriceX96, liquidity }, ticks, { from: at, step: 1, end: (sqrtPriceX96 * rootE18) / oneE18 })
  const down = sum({ sqrtPriceX96, liquidity }, ticks, { from: at - 1, step: -1, end: (sqrtPriceX96 * oneE18) / rootE18 })
  return { up, down }
}

/** Both tokens that a trade moves which takes the price of token0 2 % up, or down. Smallest units, without fees. */
export type TwoSidedDepth = { readonly up: Moved; readonly down: Moved }
type Moved = { readonly amount0: bigint; readonly amount1: bigint }

/** What can be bought and sold within 2 % of a pool's price, each way by itself. Pure. */
export function twoSidedDepth(pool: DepthPool, ticks: TickList): TwoSidedDepth {
  const nothing = { amount0: 0n, amount1: 0n }
  return movedWithin(pool, ticks, rootE18) ?? { up: nothing, down: nothing }
}

/** What a pool says of itself where its ticks are not known. Reserves in smallest units. */
export type StatedPool = Omit<DepthPool, 'tick'> & { readonly reserve0: bigint; readonly reserve1: bigint }

const noTicks = createTickList()

/** Depth as if the liquidity in range went on for 2 %, and never more than the pool holds. It is easily faked. */
export function statedDepth({ reserve0, reserve1, ...pool }: StatedPool): Depth {
  const { depth0, depth1 } = executableDepth({ ...pool, tick: 0 }, noTicks)
  return { depth0: smaller(depth0, notNegative(reserve0)), depth1: smaller(depth1, notNegative(reserve1)) }
}

const notNegative = (amount: bigint) => (amount > 0n ? amount : 0n)

type Way = { readonly from: number; readonly step: 1 | -1; readonly end: bigint }

/** Both tokens that a trade as far as `end` moves. Within 2 % there are no more than 200 ticks on the way. */
function sum(start: { sqrtPriceX96: bigint; liquidity: bigint }, { order, byTick }: TickList, { from, step, end }: Way) {
  let { sqrtPriceX96: price, liquidity } = start
  let [amount0, amount1] = [0n, 0n]
  for (let place = from; ; place += step) {
    const tick = order[place]
    const tickPrice = tick === undefined ? end : sqrtPriceX96AtTick(tick)
    const isPast = tick === undefined || (step === 1 ? tickPrice >= end : tickPrice <= end)
    const next = isPast ? end : tickPrice
    if (liquidity > 0n) {
      amount0 += amount0Between(price, next, liquidity, 'down')
      amount1 += amount1Between(price, next, liquidity, 'down')
    }
    if (isPast || tick === undefined) return { amount0, amount1 }
    liquidity += BigInt(step) * (byTick.get(tick)?.net ?? 0n)
    price = next
  }
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
