import { describe, expect, it } from 'vitest'
import { sqrtPriceX96AtTick } from './tick.ts'

describe('sqrtPriceX96AtTick', () => {
  it.each([
    // The constants MIN_SQRT_RATIO and MAX_SQRT_RATIO of Uniswap's TickMath, and values its own tests list.
    [-887_272, 4_295_128_739n],
    [887_272, 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n],
    [0, 79_228_162_514_264_337_593_543_950_336n],
    [-50, 79_030_349_367_926_598_376_800_521_322n],
    [50, 79_426_470_787_362_580_746_886_972_461n],
    [100, 79_625_275_426_524_748_796_330_556_128n],
    [-250_000, 295_440_463_448_801_648_376_846n],
    [500_000, 5_697_689_776_495_288_729_098_254_600_827_762_987_878n],
  ])('tick %i', (tick, price) => {
    expect(sqrtPriceX96AtTick(tick)).toBe(price)
  })

  it('knows no tick outside the grid or between two', () => {
    expect(() => sqrtPriceX96AtTick(887_273)).toThrow('tick 887273: expected a whole number within ±887272')
    expect(() => sqrtPriceX96AtTick(0.5)).toThrow(RangeError)
  })
})
