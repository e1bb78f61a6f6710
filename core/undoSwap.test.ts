import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sqrtPriceX96AtTick } from './tick.ts'
import { changePosition, createTickList } from './tickList.ts'
import { undoSwap } from './undoSwap.ts'

const q96 = 2n ** 96n
const e18 = 10n ** 18n
const ticks = createTickList()
changePosition(ticks, { tickLower: -6_000, tickUpper: 6_000 }, e18)
changePosition(ticks, { tickLower: -60, tickUpper: 60 }, 3n * e18)

/** How far a price is from another, in parts of 10^15. */
const apart = (one: bigint, other: bigint) => Number(((one > other ? one - other : other - one) * 10n ** 15n) / other)

describe('a swap that is undone', () => {
  it('within one range leaves the price that it found', () => {
    // From the price 1 down: 4 x 10^18 of liquidity, 10^15 of token1 out are 1/4,000 of the root.
    const fallen = q96 - q96 / 4_000n
    const down = { amount0: 1n, amount1: -(10n ** 15n), sqrtPriceX96: fallen, liquidity: 4n * e18, tick: -6 }
    expect(apart(undoSwap(down, ticks).sqrtPriceX96, q96)).toBe(0)
    expect(undoSwap(down, ticks)).toMatchObject({ liquidity: 4n * e18, tick: 0 })
    // And up, for token0: 1/(1 + 1/4,000) of it.
    const risen = (q96 * 4_000n) / 3_999n
    const up = { amount0: -(10n ** 15n), amount1: 1n, sqrtPriceX96: risen, liquidity: 4n * e18, tick: 5 }
    expect(apart(undoSwap(up, ticks).sqrtPriceX96, q96)).toBe(0)
  })

  it('finds the liquidity again that it left at a tick on its way', () => {
    // From the price 1 over the tick -60, with a quarter of the liquidity behind it, to the tick -120.
    const [edge, end] = [sqrtPriceX96AtTick(-60), sqrtPriceX96AtTick(-120)]
    const out = (4n * e18 * (q96 - edge) + e18 * (edge - end)) / q96
    const swap = { amount0: 1n, amount1: -out, sqrtPriceX96: end, liquidity: e18, tick: -121 }
    const before = undoSwap(swap, ticks)
    expect(apart(before.sqrtPriceX96, q96)).toBe(0)
    expect(before.liquidity).toBe(4n * e18)
    // The other way round: out of the thin part into the deep one, and up.
    const [low, high] = [sqrtPriceX96AtTick(-120), sqrtPriceX96AtTick(-60)]
    const of0 = (e18 * q96 * (high - low)) / high / low + (4n * e18 * q96 * (q96 - high)) / q96 / high
    const rise = undoSwap({ amount0: -of0, amount1: 1n, sqrtPriceX96: q96, liquidity: 4n * e18, tick: 0 }, ticks)
    expect(apart(rise.sqrtPriceX96, low)).toBe(0)
    expect(rise.liquidity).toBe(e18)
  })

  it('that got nothing leaves what the event says', () => {
    const swap = { amount0: 5n, amount1: 0n, sqrtPriceX96: q96, liquidity: 4n * e18, tick: 0 }
    expect(undoSwap(swap, ticks)).toEqual({ sqrtPriceX96: q96, tick: 0, liquidity: 4n * e18 })
  })

  it('that took more than all positions hold ends where these do', () => {
    const swap = { amount0: 1n, amount1: -(10n ** 30n), sqrtPriceX96: sqrtPriceX96AtTick(-100), liquidity: e18, tick: -100 }
    expect(undoSwap(swap, ticks)).toMatchObject({ tick: 6_000, liquidity: 0n })
  })

  it('gives back the price before it, whatever its size', () =>
    fc.assert(
      fc.property(fc.integer({ min: -59, max: 59 }), fc.integer({ min: -59, max: 59 }), (from, to) => {
        if (from === to) return
        const [start, end] = [sqrtPriceX96AtTick(from), sqrtPriceX96AtTick(to)]
        const out1 = (4n * e18 * (start - end)) / q96
        const out0 = (4n * e18 * q96 * (end - start)) / start / end
        const paid = to < from ? { amount0: 1n, amount1: -out1 } : { amount0: -out0, amount1: 1n }
        const before = undoSwap({ ...paid, sqrtPriceX96: end, liquidity: 4n * e18, tick: to }, ticks)
        expect(apart(before.sqrtPriceX96, start)).toBeLessThanOrEqual(1)
        expect(before.liquidity).toBe(4n * e18)
      }),
    ))
})
