import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sqrtPriceX96AtTick } from './tick.ts'
import { changePosition, createTickList, nextTickInWord } from './tickList.ts'
import { growthOf, walkSwap } from './walkSwap.ts'

const one = 2n ** 96n

describe('a swap that is taken again', () => {
  const liquidity = 10n ** 18n
  const ticks = createTickList()
  changePosition(ticks, { tickLower: -600, tickUpper: 600 }, liquidity)
  const before = { sqrtPriceX96: one, tick: 0, liquidity, fee: 3000, tickSpacing: 60, feeProtocol: 0 }
  // 1,000,000 of token1 in, fee 3,000, by hand: the price rises by 997000 x 2^96 / 10^18, and token0 out is 996,999 and a bit less.
  const price = one + (997_000n * one) / liquidity
  const swap = { amount0: -996_999n, amount1: 1_000_000n, sqrtPriceX96: price, liquidity }

  it('fits, and its fee is what it adds to the growth', () => {
    expect(walkSwap(before, ticks, swap)).toEqual({ kind: 'fits', token: 1, growth: (3_000n << 128n) / liquidity })
    // A quarter is the protocol's: 750.
    const shared = walkSwap({ ...before, feeProtocol: 4 << 4 }, ticks, swap)
    expect(shared).toEqual({ kind: 'fits', token: 1, growth: (2_250n << 128n) / liquidity })
  })

  it.each([
    ['another price before it', { ...before, sqrtPriceX96: one + one / 10n ** 13n }, swap, 'amounts'],
    ['other liquidity before it', { ...before, liquidity: liquidity - 10n ** 15n }, swap, 'amounts'],
    ['another fee', { ...before, fee: 500 }, swap, 'fee'],
    ['both amounts into the pool', before, { ...swap, amount0: 996_999n }, 'direction'],
    ['a price that is none', before, { ...swap, sqrtPriceX96: 2n ** 160n - 1n }, 'direction'],
    ['the price falling where it should rise', before, { ...swap, sqrtPriceX96: one - 1n }, 'direction'],
    ['liquidity after it that no tick explains', before, { ...swap, liquidity: liquidity + 1n }, 'liquidity'],
  ])('does not fit %s', (_name, pool, event, what) => {
    expect(walkSwap(pool, ticks, event)).toEqual({ kind: 'misfit', what })
  })

  it('may move the price over any distance without liquidity, for nothing', () => {
    const empty = { ...before, liquidity: 0n }
    const far = { amount0: 0n, amount1: 0n, sqrtPriceX96: sqrtPriceX96AtTick(-800_000), liquidity: 0n }
    expect(walkSwap(empty, createTickList(), far)).toEqual({ kind: 'fits', token: 0, growth: 0n })
  })

  it('gives nobody a fee where there is no liquidity', () => {
    expect(growthOf(5n, 0, 0n)).toBe(0n)
  })

  it('ends on whatever facts an event states', () => {
    const any = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n })
    const facts = fc.record({
      amount0: any,
      amount1: any,
      sqrtPriceX96: fc.bigInt({ min: 4_295_128_739n, max: 2n ** 160n - 1n }),
      liquidity: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    })
    fc.assert(
      fc.property(facts, (event) => ['fits', 'misfit'].includes(walkSwap(before, ticks, event).kind)),
      { numRuns: 300 },
    )
  })
})

describe('the next tick of a swap', () => {
  const list = createTickList()
  changePosition(list, { tickLower: -120, tickUpper: 60 }, 5n)

  it.each([
    // Down: the tick itself counts; else the start of its word of 256 spacings.
    [60, true, 60],
    [59, true, 0],
    [-1, true, -120],
    [-121, true, -15_360],
    // Up: the tick itself does not count; else the end of the word.
    [-120, false, -60],
    [0, false, 60],
    [60, false, 15_300],
    [15_300, false, 30_660],
  ])('from %i, down: %s, is %i', (tick, down, next) => {
    expect(nextTickInWord(list, tick, { spacing: 60, down })).toBe(next)
  })

  it('is gone when the last position that it bounds is gone', () => {
    const ticks = createTickList()
    changePosition(ticks, { tickLower: -60, tickUpper: 60 }, 5n)
    changePosition(ticks, { tickLower: 60, tickUpper: 120 }, 5n)
    // Bounds two positions, with a net of nothing: still a tick.
    expect(ticks.byTick.get(60)).toEqual({ gross: 10n, net: 0n })
    changePosition(ticks, { tickLower: -60, tickUpper: 60 }, -5n)
    changePosition(ticks, { tickLower: 60, tickUpper: 120 }, -5n)
    expect(ticks).toEqual({ order: [], byTick: new Map() })
  })
})
