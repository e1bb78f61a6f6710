import { amount0Between, amount1Between, divideUp } from './liquidityMath.ts'
import { sqrtPriceX96AtTick, tickAtSqrtPrice, tickMax, tickMin } from './tick.ts'
import { placeOf, type TickList } from './tickList.ts'

/** What a Swap event states: amounts in smallest units, positive into the pool, and what the pool was after it. */
export type UndoneSwap = {
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly tick: number
}

/** A pool's price and the liquidity in force there. */
export type PriceBefore = { readonly sqrtPriceX96: bigint; readonly tick: number; readonly liquidity: bigint }

/**
 * What a pool was before a swap: its way is walked back from tick to tick until what went out is in again. What the event says is
 * rounded, so the price is off by a few parts in 10^18; of a swap that got nothing it is the one after it. Pure.
 * @param ticks the pool's, at least those that the swap crossed
 */
export function undoSwap(swap: UndoneSwap, { order, byTick }: TickList): PriceBefore {
  const wasDown = swap.amount1 < 0n
  let left = wasDown ? -swap.amount1 : swap.amount0 < 0n ? -swap.amount0 : 0n
  let { sqrtPriceX96: price, liquidity } = swap
  // Back up after a fall, back down after a rise.
  const step = wasDown ? 1 : -1
  let place = placeOf(order, swap.tick + 1) - (wasDown ? 0 : 1)
  while (left > 0n) {
    const tick = order[place]
    const end = sqrtPriceX96AtTick(tick ?? (wasDown ? tickMax : tickMin))
    const output = wasDown ? amount1Between(price, end, liquidity, 'down') : amount0Between(price, end, liquidity, 'down')
    if (output >= left && liquidity > 0n) {
      price = wasDown ? priceAbove(price, liquidity, left) : priceBelow(price, liquidity, left)
      left = 0n
    } else if (tick === undefined) {
      break
    } else {
      left -= output
      price = end
      liquidity += BigInt(step) * (byTick.get(tick)?.net ?? 0n)
      place += step
    }
  }
  return { sqrtPriceX96: price, tick: tickAtSqrtPrice(price), liquidity }
}

/** From where the price falls to this one for so much token1. */
function priceAbove(price: bigint, liquidity: bigint, amount1: bigint): bigint {
  return price + divideUp(amount1 << 96n, liquidity)
}

/** From where the price rises to this one for so much token0. */
function priceBelow(price: bigint, liquidity: bigint, amount0: bigint): bigint {
  const scaled = liquidity << 96n
  return (scaled * price) / (scaled + amount0 * price)
}
