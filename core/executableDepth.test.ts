import { describe, expect, it } from 'vitest'
import { executableDepth, statedDepth } from './executableDepth.ts'
import { changePosition, createTickList, type TickList } from './tickList.ts'

const q96 = 2n ** 96n
const e18 = 10n ** 18n

function list(...positions: [number, number, bigint][]): TickList {
  const ticks = createTickList()
  for (const [tickLower, tickUpper, liquidity] of positions) changePosition(ticks, { tickLower, tickUpper }, liquidity)
  return ticks
}

/** A pool at the price 1. */
const at1 = (liquidity: bigint) => ({ sqrtPriceX96: q96, tick: 0, liquidity })
const percentOf = (depth: bigint, whole: bigint) => Number((depth * 1_000_000n) / whole) / 10_000

describe('executable depth', () => {
  it('is what 2 % trade, the smaller of both directions, of a position over all prices', () => {
    const { depth0, depth1 } = executableDepth(at1(e18), list([-887_220, 887_220, e18]))
    // Of a reserve of 1: up 0.995 % of token1 come in, down 0.985 % go out; sqrt(1.02) - 1 and 1 - 1/sqrt(1.02).
    expect(percentOf(depth1, e18)).toBe(0.9852)
    expect(percentOf(depth0, e18)).toBe(0.9852)
  })

  it('is nothing where liquidity is on one side of the price alone', () => {
    // All of it over the price: nothing can be sold into it.
    const ticks = list([0, 60, 10n ** 24n], [-6_000, -3_900, 10n ** 30n])
    expect(executableDepth(at1(10n ** 24n), ticks)).toEqual({ depth0: 0n, depth1: 0n })
  })

  it('stops where the liquidity ends, and counts liquidity that begins at a tick on the way', () => {
    const near = executableDepth(at1(e18), list([-60, 60, e18]))
    // 60 ticks are 0.6018 % of the price: 0.3004 % of the root.
    expect(percentOf(near.depth1, e18)).toBe(0.2995)
    const far = executableDepth(at1(e18), list([-60, 60, e18], [60, 240, 3n * e18], [-240, -60, 3n * e18]))
    // 0.2995 % and three times the rest of 0.9852 %.
    expect(percentOf(far.depth1, e18)).toBe(2.3566)
  })

  it('is nothing before the pool is opened', () => {
    expect(executableDepth({ sqrtPriceX96: 0n, tick: undefined, liquidity: 0n }, list())).toEqual({ depth0: 0n, depth1: 0n })
  })
})

describe('stated depth', () => {
  it('takes the liquidity at the price for all of the 2 %, and never more than the pool holds', () => {
    const pool = { sqrtPriceX96: q96, liquidity: e18, reserve0: 10n ** 30n, reserve1: 5n }
    const { depth0, depth1 } = statedDepth(pool)
    expect(percentOf(depth0, e18)).toBe(0.9852)
    expect(depth1).toBe(5n)
    expect(statedDepth({ ...pool, reserve0: -7n }).depth0).toBe(0n)
  })
})
