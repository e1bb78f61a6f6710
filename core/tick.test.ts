import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPriceAtTick, sqrtPriceX96AtTick, tickAtSqrtPrice, tickMax, tickMin } from './tick.ts'

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

describe('tickAtSqrtPrice', () => {
  it.each([
    // What `TickMath.spec.ts` of Uniswap's v3-core lists, and the pool of its primer: 1,540.82 USDC for one ETH.
    [4_295_128_739n, -887_272],
    [4_295_343_489n, -887_272],
    [4_295_343_490n, -887_271],
    [1_461_373_636_630_004_318_706_518_188_784_493_106_690_254_656_249n, 887_271],
    [1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n, 887_271],
    [79_228_162_514_264_337_593_543_950_335n, -1],
    [79_228_162_514_264_337_593_543_950_336n, 0],
    [2_018_382_873_588_440_326_581_633_304_624_437n, 202_919],
  ])('of %d is %i', (price, tick) => expect(tickAtSqrtPrice(price)).toBe(tick))

  it('is none below the grid', () => {
    expect(() => tickAtSqrtPrice(4_295_128_738n)).toThrow('sqrtPriceX96 4295128738: no tick is so low')
    expect(() => tickAtSqrtPrice(0n)).toThrow(RangeError)
  })

  const tick = fc.integer({ min: tickMin, max: tickMax - 1 })

  it('is the tick whose price it is, up to a unit below the next one', () =>
    fc.assert(
      fc.property(tick, (at) => {
        expect(tickAtSqrtPrice(sqrtPriceX96AtTick(at))).toBe(at)
        expect(tickAtSqrtPrice(sqrtPriceX96AtTick(at + 1) - 1n)).toBe(at)
      }),
    ))

  it('rises with the price', () => fc.assert(fc.property(tick, (at) => sqrtPriceX96AtTick(at) < sqrtPriceX96AtTick(at + 1))))
})

describe('a price and a tick of a pool', () => {
  const price = 79_228_162_514_264_337_593_543_950_336n

  it('fit while the price is in the tick, and on its upper end, where a fall has stopped', () => {
    expect(isPriceAtTick(price, 0)).toBe(true)
    expect(isPriceAtTick(price, -1)).toBe(true)
    expect(isPriceAtTick(price - 1n, 0)).toBe(false)
    expect(isPriceAtTick(price + 1n, -1)).toBe(false)
    expect(isPriceAtTick(price, 1)).toBe(false)
  })

  it('never fit outside the grid', () => {
    expect(isPriceAtTick(sqrtPriceX96AtTick(tickMax), tickMax)).toBe(false)
    expect(isPriceAtTick(sqrtPriceX96AtTick(tickMin), tickMin)).toBe(true)
    expect(isPriceAtTick(sqrtPriceX96AtTick(tickMin), tickMin - 1)).toBe(false)
  })
})
