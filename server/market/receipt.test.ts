import { expect, it } from 'vitest'
import { networkFile } from '../testing/market.ts'
import { toPriceRules, toReceipt } from './receipt.ts'
import type { HopEvidence, Quote } from './source.ts'
import type { TokenMarket } from './tokenMarket.ts'

const rules = toPriceRules(networkFile)
const address = (digit: string) => `0x${digit.repeat(40)}` as const
const pool: HopEvidence = {
  ...{ pool: address('1'), base: address('2'), quote: address('3'), baseSymbol: 'A', quoteSymbol: 'B', fee: 3_000 },
  ...{ baseIsToken0: true, decimals0: 18, decimals1: 18, sqrtPriceX96: 1n, medianX96: 1n, quoteUsdE18: 1n, usdE18: 1n },
  ...{ depthUsdE18: 1n, weightUsdE18: 1n, lastSwapAtSeconds: 1 },
}

/** A price whose steps have so many pools. */
function marketOf(...counts: readonly number[]): TokenMarket {
  const steps = counts.map((count) => ({ token: address('2'), symbol: 'A', usdE18: 1n, pools: Array(count).fill(pool) }))
  const quote: Quote = {
    ...{ source: 'index', usdE18: 1n, observedAtSeconds: 1, route: [pool], steps, confidence: 1, reasons: [] },
    ...{ atBlock: { number: 1, hash: `0x${'a'.repeat(64)}`, timestampSeconds: 1 }, lastUsdE18: 1n, range: undefined },
    ...{ costToMoveUsdE18: undefined, depthUsdE18: 1n, dayAgoUsdE18: undefined, weekAgoUsdE18: undefined },
    ...{ volume24hUsdE18: 0n, fdmcUsdE18: undefined, marketCapUsdE18: undefined },
  }
  const token = { address: address('2'), id: address('2'), symbol: 'A' } as TokenMarket['token']
  return { token, quote, reasons: [], warnings: [] } as unknown as TokenMarket
}

it('a receipt names the first steps with 1,000 pools at most, and how many it leaves out', () => {
  const all = toReceipt(marketOf(600, 400), rules)
  expect([all.steps.length, all.poolsLeftOut]).toEqual([2, 0])
  const some = toReceipt(marketOf(600, 401, 7), rules)
  expect([some.steps.length, some.poolsLeftOut]).toEqual([1, 408])
})
