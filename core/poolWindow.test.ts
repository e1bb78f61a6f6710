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
    expect(weighWindow([], now, at)).toEqual({ ...now, isSettled: true })
    expect(weighWindow([span(0, 900, moment(1n, 1n))], now, at)).toEqual({ ...now, isSettled: true })
  })

  it('takes no notice of what is there for less than half of it', () => {
    const [usual, pumped] = [moment(100n, 10n), moment(150n, 900n)]
    expect(weighWindow([span(0, 951, usual)], pumped, at)).toEqual({
      sqrtPriceX96: 100n,
      depth0: 10n,
      depth1: 20n,
      isSettled: true,
    })
    expect(weighWindow([span(0, 949, usual)], pumped, at)).toEqual({
      sqrtPriceX96: 150n,
      depth0: 900n,
      depth1: 1_800n,
      isSettled: true,
    })
  })

  it('counts no depth that stood at another price', () => {
    // Honest and deep for 48 s, false and deep for 4, false and empty for 48: false for most of the time, deep for most of it, and
    // never both for long.
    const spans = [span(0, 948, moment(100n, 50n)), span(948, 952, moment(200n, 50n))]
    expect(weighWindow(spans, moment(200n, 0n), at)).toEqual({ ...moment(200n, 0n), isSettled: false })
    // Empty and low, deep for 4 s in between, empty and high: the price is the one in between, and nothing was there.
    const slot = [span(0, 948, moment(10n, 0n)), span(948, 952, moment(3_000n, 900n))]
    expect(weighWindow(slot, moment(9_000n, 0n), at)).toEqual({ ...moment(3_000n, 0n), isSettled: false })
    // At its price for all of the time, deep for less than half of it, then for half: what was there for more than half counts.
    expect(weighWindow([span(0, 951, moment(100n, 7n))], moment(100n, 900n), at)).toMatchObject({ depth0: 7n, isSettled: true })
    // At its price for 60 of 100 s, and deep for 35 of these.
    const away = [span(0, 940, moment(200n, 900n)), span(940, 965, moment(100n, 7n))]
    expect(weighWindow(away, moment(100n, 900n), at)).toMatchObject({ sqrtPriceX96: 100n, depth0: 7n, isSettled: true })
    // At its price for exactly half: the least of what was there.
    const half = [span(0, 950, moment(200n, 900n)), span(950, 975, moment(100n, 7n))]
    expect(weighWindow(half, moment(100n, 9n), at)).toMatchObject({ sqrtPriceX96: 100n, depth0: 7n, isSettled: true })
    // 1 % in the root are 2 % in the price: the same market. A little more is another one.
    const near = (root: bigint) => [span(0, 940, moment(1_000n, 50n)), span(940, 980, moment(root, 50n))]
    expect(weighWindow(near(1_010n), moment(1_010n, 0n), at)).toMatchObject({ sqrtPriceX96: 1_010n, isSettled: true })
    expect(weighWindow(near(1_011n), moment(1_011n, 0n), at)).toMatchObject({ sqrtPriceX96: 1_011n, isSettled: false })
    // Deep at the true price for half of the time, for 2 s at 9.8 % more, else far off and empty: the price in between is nobody's.
    const turns = [span(0, 950, moment(1_000n, 50n)), span(950, 952, moment(1_048n, 50n))]
    expect(weighWindow(turns, moment(7_000n, 0n), at)).toMatchObject({ sqrtPriceX96: 1_000n, isSettled: true })
    const later = [span(0, 949, moment(1_000n, 50n)), span(949, 951, moment(1_048n, 50n))]
    expect(weighWindow(later, moment(7_000n, 0n), at)).toMatchObject({ sqrtPriceX96: 1_048n, isSettled: false })
  })

  it('weighs what lasted of a market in motion, which is at no price for half of the time', () => {
    // Down by a third twice, with 50, 40 and 30 behind it for 40, 30 and 30 s: 30 was there all the way.
    const falling = [span(0, 940, moment(100n, 50n)), span(940, 970, moment(82n, 40n))]
    expect(weighWindow(falling, moment(67n, 30n), at)).toEqual({ ...moment(82n, 30n), isSettled: true })
    // Gone for 12 of 100 s, and for 13: more than an eighth.
    const gapOf = (seconds: number) => [...falling, span(970, 970 + seconds, moment(67n, 0n))]
    expect(weighWindow(gapOf(12), moment(67n, 30n), at)).toEqual({ ...moment(82n, 30n), isSettled: true })
    expect(weighWindow(gapOf(13), moment(67n, 30n), at)).toEqual({ ...moment(82n, 40n), isSettled: false })
    // All the way 19, of 40 near the median: less than half.
    expect(weighWindow(falling, moment(67n, 19n), at)).toEqual({ ...moment(82n, 40n), isSettled: false })
    // Deep near the median alone, for 30 s: what was there for longer is as much as lasted.
    const bulge = [span(0, 940, moment(100n, 1n)), span(940, 970, moment(82n, 40n))]
    expect(weighWindow(bulge, moment(67n, 1n), at)).toEqual({ ...moment(82n, 1n), isSettled: true })
    // Pushed up, down and back by somebody who then adds four times as much: what others have there all the time weighs.
    const joined = [span(0, 934, moment(113n, 100n)), span(934, 967, moment(88n, 100n))]
    expect(weighWindow(joined, moment(100n, 500n), at)).toEqual({ ...moment(100n, 100n), isSettled: true })
  })

  it('is not settled in a pool that was opened less than half of a window ago', () => {
    const opened = (atSeconds: number) => [span(900, atSeconds, moment(0n, 0n))]
    expect(weighWindow(opened(1_000), moment(100n, 9n), at)).toEqual({ ...moment(100n, 9n), isSettled: false })
    expect(weighWindow(opened(951), moment(100n, 9n), at)).toEqual({ ...moment(100n, 9n), isSettled: false })
    expect(weighWindow(opened(950), moment(100n, 9n), at)).toEqual({ ...moment(100n, 9n), isSettled: true })
    // First without liquidity: it has what is there now.
    const empty = [...opened(960), span(960, 999, moment(100n, 0n))]
    expect(weighWindow(empty, moment(100n, 9n), at)).toEqual({ ...moment(100n, 9n), isSettled: false })
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
