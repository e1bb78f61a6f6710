import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { basePrice, type Fraction, oneE18, timesFraction, token0Price, token1Price } from './index.ts'

const e18 = (fraction: Fraction) => timesFraction(oneE18, fraction)

// A pool of USDC (token0, 6 decimals) and WETH (token1, 18 decimals) at 2,500 dollars: 10^18 wei cost 2500 x 10^6 units, so
// token1 per token0 in smallest units is 4 x 10^8, whose root is 20,000.
const usdcWeth = { sqrtPriceX96: 20_000n * 2n ** 96n, decimals0: 6, decimals1: 18 }

describe("the subgraph's convention", () => {
  it('token0Price is token0 for one token1: dollars for an ether', () => {
    expect(e18(token0Price(usdcWeth))).toBe(2_500n * 10n ** 18n)
  })

  it('token1Price is token1 for one token0: ether for a dollar', () => {
    expect(e18(token1Price(usdcWeth))).toBe(4n * 10n ** 14n)
  })

  it('a token is priced by the other one, on whichever side of the pool it is', () => {
    expect(e18(basePrice(usdcWeth, true))).toBe(4n * 10n ** 14n)
    expect(e18(basePrice(usdcWeth, false))).toBe(2_500n * 10n ** 18n)
  })
})

const recording = resolve(import.meta.dirname, '../../shared/data/subgraph/swaps.json')

describe.skipIf(!existsSync(recording))('swaps as The Graph recorded them (skipped without ../shared/data)', () => {
  type Recorded = { amount0: string; amount1: string; sqrtPriceX96: string; timestamp: string }

  it('trade between the prices before and after them, as dollars for an ether', () => {
    const { swaps } = JSON.parse(readFileSync(recording, 'utf8')).data.pool as { swaps: Recorded[] }
    const ordered = swaps.toSorted((a, b) => Number(a.timestamp) - Number(b.timestamp))
    const dollars = (swap: Recorded) => Number(e18(token0Price({ ...usdcWeth, sqrtPriceX96: BigInt(swap.sqrtPriceX96) }))) / 1e18
    const [first, second] = ordered as [Recorded, Recorded]
    const paid = Math.abs(Number(second.amount0) / Number(second.amount1))
    expect(dollars(first)).toBeLessThan(paid)
    expect(dollars(second)).toBeGreaterThan(paid)
    expect(paid).toBeCloseTo(3_464.73, 2)
  })
})
