import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rawToDecimal } from './fixedPoint.ts'
import { valueHoldings } from './portfolio.ts'

const dollar = 10n ** 18n
const worth = (balance: string, usdE18: bigint) => valueHoldings([{ tokenAddress: '0x1', balance }], () => usdE18)

describe('the value of a holding', () => {
  it.each([
    ['2.5', 2_500n * dollar, 6_250_000_000_000_000_000_000n],
    ['25000.000001', dollar, 25_000_000_001_000_000_000_000n],
    // 1 unit of 8 decimals at 3.21 dollars.
    ['0.00000001', 3_210_000_000_000_000_000n, 32_100_000_000n],
    // 24 decimals: the last digit at a million dollars is 10^-18.
    ['0.000000000000000000000001', 1_000_000n * dollar, 1n],
    // A third of a unit is rounded down.
    ['0.5', 1n, 0n],
    ['0', dollar, 0n],
  ])('%s at %d is %d', (balance, usdE18, value) => {
    expect(worth(balance, usdE18)).toEqual({ holdings: [{ tokenAddress: '0x1', balance, usdE18: value }], totalUsdE18: value })
  })

  it('is the amount in smallest units times the price, whatever the decimals', () =>
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        fc.integer({ min: 0, max: 77 }),
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        (raw, decimals, usdE18) =>
          worth(rawToDecimal(raw, decimals), usdE18).totalUsdE18 === (raw * usdE18) / 10n ** BigInt(decimals),
      ),
    ))

  it('is open without a price, and for a text that is no amount', () => {
    const holdings = [
      { tokenAddress: 'native', balance: '2' },
      { tokenAddress: '0xA', balance: '3' },
      ...['', '-1', '1.', '.5', '1e3', ' 1', 'NaN'].map((balance) => ({ tokenAddress: 'native', balance })),
    ]
    const { holdings: valued, totalUsdE18 } = valueHoldings(holdings, (token) => (token === 'native' ? 7n : undefined))
    expect(valued.map(({ usdE18 }) => usdE18)).toEqual([14n, ...Array(8).fill(undefined)])
    expect(totalUsdE18).toBe(14n)
  })
})

describe('the total', () => {
  it('of two wallets together is the sum of theirs', () => {
    const holdings = fc.array(
      fc.record({
        tokenAddress: fc.constantFrom('native', '0xa', '0xb'),
        balance: fc.bigInt({ min: 0n, max: 10n ** 40n }).map((raw) => rawToDecimal(raw, 18)),
      }),
    )
    const usdE18Of = (token: string) => ({ native: 2_500n * dollar, '0xa': 3n })[token]
    const total = (list: readonly { tokenAddress: string; balance: string }[]) => valueHoldings(list, usdE18Of).totalUsdE18
    fc.assert(fc.property(holdings, holdings, (a, b) => total([...a, ...b]) === total(a) + total(b)))
  })

  it('leaves what else a holding says as it is', () => {
    const stake = { tokenAddress: '0xa', balance: '2', stakingContract: '0xc' }
    expect(valueHoldings([stake], () => 5n)).toEqual({ holdings: [{ ...stake, usdE18: 10n }], totalUsdE18: 10n })
  })
})
