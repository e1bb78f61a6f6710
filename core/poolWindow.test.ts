import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { medianPrice, type PoolSpan, weighWindow } from './poolWindow.ts'

const at = { nowSeconds: 1_000, windowSeconds: 100 }
const moment = (sqrtPriceX96: bigint, depth: bigint) => ({ sqrtPriceX96, depth0: depth, depth1: depth * 2n })
const span = (fromSeconds: number, untilSeconds: number, of: ReturnType<typeof moment>): PoolSpan => ({
  ...of,
  fromSeconds,
  untilSeconds,
})

describe('the window of a pool', () => {
  it('is what the pool is where nothing changed in it', () => {
    const now = moment(7n, 3n)
    expect(weighWindow([], now, at)).toEqual(now)
    expect(weighWindow([span(0, 900, moment(1n, 1n))], now, at)).toEqual(now)
  })

  it('takes no notice of what is there for less than half of it', () => {
    const [usual, pumped] = [moment(100n, 10n), moment(150n, 900n)]
    expect(weighWindow([span(0, 951, usual)], pumped, at)).toEqual({ sqrtPriceX96: 100n, depth0: 10n, depth1: 20n })
    expect(weighWindow([span(0, 949, usual)], pumped, at)).toEqual({ sqrtPriceX96: 150n, depth0: 900n, depth1: 1_800n })
  })

  it('counts no depth that stood at another price', () => {
    // Honest and deep for 48 s, false and deep for 4, false and empty for 48: false for most of the time, deep for most of it, and
    // never both for long.
    const spans = [span(0, 948, moment(100n, 50n)), span(948, 952, moment(200n, 50n))]
    expect(weighWindow(spans, moment(200n, 0n), at)).toEqual({ sqrtPriceX96: 200n, depth0: 0n, depth1: 0n })
    // A price that falls by a third twice has no half of the time at any price, and depth at all of them.
    const falling = [span(0, 940, moment(100n, 50n)), span(940, 970, moment(82n, 40n))]
    expect(weighWindow(falling, moment(67n, 30n), at)).toEqual({ sqrtPriceX96: 82n, depth0: 40n, depth1: 80n })
    // 4 % in the root are 8 % in the price: the same market.
    const near = [span(0, 940, moment(100n, 50n)), span(940, 980, moment(104n, 50n))]
    expect(weighWindow(near, moment(104n, 0n), at)).toMatchObject({ sqrtPriceX96: 104n, depth0: 50n })
  })
})

it('the median of a price is that of its seconds', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 850, max: 1_000 }), fc.bigInt({ min: 1n, max: 9n })), { minLength: 1, maxLength: 20 }),
      (drawn) => {
        const changes = drawn
          .map(([atSeconds, sqrtPriceX96]) => ({ atSeconds, sqrtPriceX96 }))
          .sort((a, b) => a.atSeconds - b.atSeconds)
        const seconds = Array.from(
          { length: 100 },
          (_, i) => changes.findLast(({ atSeconds }) => atSeconds <= 900 + i)?.sqrtPriceX96,
        )
        const known = seconds.flatMap((price) => price ?? []).sort((a, b) => Number(a - b))
        const middle = known[Math.ceil(known.length / 2) - 1] ?? changes.at(-1)?.sqrtPriceX96
        expect(medianPrice(changes, at)).toBe(middle)
      },
    ),
  ))
