import { oneE18 } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { offChain, type Quote, type SourceAnswer } from './source.ts'
import { timesSupply, toFigures } from './tokenMarket.ts'

const quote: Quote = {
  ...{ ...offChain, source: 'test', usdE18: 3n * oneE18, confidence: 1, reasons: [], observedAtSeconds: 0 },
  ...{ dayAgoUsdE18: 2n * oneE18, weekAgoUsdE18: 6n * oneE18, volume24hUsdE18: 77n },
  ...{ fdmcUsdE18: undefined, marketCapUsdE18: undefined },
}
const figuresOf = (facts: Partial<Quote> = {}, onChain?: SourceAnswer) =>
  toFigures({ supply: 10, quote: { ...quote, ...facts }, onChain, volume24hUsdE18: 5n })

describe('the figures of a token', () => {
  it('are changes since the prices before, in percent of those', () => {
    expect(figuresOf()).toMatchObject({ change24hPercent: 50, change7dPercent: -50, recentPercent: undefined })
    const recentUsdE18 = { m5: 4n * oneE18, h1: undefined, h6: 3n * oneE18 }
    expect(figuresOf({ recentUsdE18 }).recentPercent).toEqual({ m5: -25, h1: undefined, h6: 0 })
  })

  it('have no change where there was no price, and none without limit where the price was 0', () => {
    const changes = figuresOf({ dayAgoUsdE18: undefined, weekAgoUsdE18: 0n })
    expect([changes.change24hPercent, changes.change7dPercent]).toEqual([undefined, undefined])
  })

  it('are worked out from the supply, unless the source of the price says its own', () => {
    expect(figuresOf()).toMatchObject({ fdmcUsdE18: 30n * oneE18, marketCapUsdE18: 30n * oneE18 })
    expect(figuresOf({ fdmcUsdE18: 8n, marketCapUsdE18: 0n })).toMatchObject({ fdmcUsdE18: 8n, marketCapUsdE18: 0n })
  })

  it('take the depth from the chain, whoever sets the price', () => {
    const onChain: SourceAnswer = { kind: 'quoted', quote: { ...quote, depthUsdE18: 900n }, displayPool: undefined }
    expect(figuresOf({ depthUsdE18: 1n }, onChain).depthUsdE18).toBe(900n)
    const silent: SourceAnswer = { kind: 'unpriced', reasons: ['No pool'], displayPool: undefined }
    expect([figuresOf({ depthUsdE18: 1n }, silent).depthUsdE18, figuresOf({ depthUsdE18: 1n }).depthUsdE18]).toEqual([
      ...[undefined, undefined],
    ])
  })

  it('of a token without a price are nothing, and no unknown ones: it has no market', () => {
    const none = toFigures({ supply: 10, quote: undefined, onChain: undefined, volume24hUsdE18: 5n })
    expect([none.volume24hUsdE18, none.fdmcUsdE18, none.marketCapUsdE18]).toEqual([0n, 0n, 0n])
    expect([none.change24hPercent, none.change7dPercent, none.depthUsdE18]).toEqual([undefined, undefined, undefined])
  })
})

describe('a price times a supply', () => {
  it('is exact to the millionth of a token, for supplies that no double holds to the unit', () => {
    expect(timesSupply(oneE18, 1.000001)).toBe(1_000_001_000_000_000_000n)
    expect(timesSupply(3n, 2 ** 80)).toBe(3n * 2n ** 80n)
    expect(timesSupply(oneE18, 2 ** 50 + 0.25)).toBe(2n ** 50n * oneE18 + oneE18 / 4n)
    expect(timesSupply(oneE18, 0.0000004)).toBe(0n)
  })

  it('carries where the millionths round up to a whole token', () => {
    expect(timesSupply(oneE18, 1.9999999)).toBe(2n * oneE18)
  })

  it('is 0 where nobody knows the supply', () => {
    expect(timesSupply(oneE18, undefined)).toBe(0n)
  })
})
