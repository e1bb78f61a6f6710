import type { Sample } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Candle } from '../readChart.ts'
import { fillCandles, groupCandles } from './fillCandles.ts'

const priceAt = (atSeconds: number, value: bigint): Sample<bigint> => ({ atSeconds, value })
const candle = (atSeconds: number, prices: readonly [bigint, bigint, bigint, bigint], volumeUsdE18 = 0n): Candle => {
  const [open, high, low, close] = prices
  return { atSeconds, open, high, low, close, volumeUsdE18 }
}

describe('steps in which nobody traded', () => {
  it('go from the price before to the price then, whether it fell or rose on the way to dollars', () => {
    expect(fillCandles([priceAt(0, 5n), priceAt(60, 3n), priceAt(120, 8n)], [])).toEqual([
      candle(0, [5n, 5n, 5n, 5n]),
      candle(60, [5n, 5n, 3n, 3n]),
      candle(120, [3n, 8n, 3n, 8n]),
    ])
  })

  it('open at the price at which the step before ended, not at what it traded at', () => {
    const traded = candle(60, [1n, 9n, 1n, 4n], 70n)
    expect(fillCandles([priceAt(0, 5n), priceAt(60, 4n), priceAt(120, 4n)], [traded])).toEqual([
      candle(0, [5n, 5n, 5n, 5n]),
      traded,
      candle(120, [4n, 4n, 4n, 4n]),
    ])
  })

  it('are none before the token had a price, and a trade without a price makes no step', () => {
    expect(fillCandles([], [candle(60, [1n, 1n, 1n, 1n], 7n)])).toEqual([])
  })
})

describe('steps as longer candles', () => {
  it('open with the first, close with the last, and have the volume and the ends of all', () => {
    const steps = [candle(3_600, [5n, 6n, 4n, 5n], 1n), candle(7_200, [5n, 9n, 5n, 8n], 2n), candle(10_800, [8n, 8n, 2n, 3n], 4n)]
    expect(groupCandles(steps, 14_400)).toEqual([candle(0, [5n, 9n, 2n, 3n], 7n)])
  })

  it('begin at whole multiples of their length, be the first and the last of them whole or not', () => {
    const still = (atSeconds: number) => candle(atSeconds, [1n, 1n, 1n, 1n], 1n)
    const groups = groupCandles([still(10_800), still(14_400), still(18_000), still(25_200), still(28_800)], 14_400)
    expect(groups.map(({ atSeconds, volumeUsdE18 }) => [atSeconds, volumeUsdE18])).toEqual([
      [0, 1n],
      [14_400, 3n],
      [28_800, 1n],
    ])
  })
})
