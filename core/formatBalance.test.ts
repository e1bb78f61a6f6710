import { describe, expect, it } from 'vitest'
import { formatTokenBalance, formatWalletBalance } from './formatBalance.ts'

describe("a wallet's balance", () => {
  it.each([
    [0n, 18, '0'],
    [1n, 18, '<0.001'],
    [999_999_999_999_999n, 18, '<0.001'],
    [1_000_000_000_000_000n, 18, '0.001'],
    [1_499_999_999_999_999n, 18, '0.001'],
    [1_500_000_000_000_000n, 18, '0.002'],
    [1_000_000_000_000_000_000n, 18, '1.000'],
    [1_234_500_000_000_000_000n, 18, '1.235'],
    [999_999_500_000_000_000_000n, 18, '1,000.000'],
    [1_234_567_890n, 6, '1,234.568'],
    [12n, 0, '12.000'],
    [10_000n * 10n ** 18n, 18, '10,000.000'],
  ])('%d with %d decimals reads %s', (raw, decimals, text) => expect(formatWalletBalance(raw, decimals)).toBe(text))
})

describe("a token's balance", () => {
  it.each([
    // A token with 6 decimals shows all of them, any other up to 4.
    [1_234_567n, 6, '1.234567'],
    [1_230_000n, 6, '1.23'],
    [1n, 6, '0.000001'],
    [1_234_567n, 5, '12.3457'],
    [1_234_567n, 7, '0.1235'],
    [1_234_567_890_123_456_789n, 18, '1.2346'],
    [2_500_000_000_000_000_000n, 18, '2.5'],
    [3_000_000_000_000_000_000n, 18, '3'],
    [99_999_999_999_999n, 18, '<0.0001'],
    [100_000_000_000_000n, 18, '0.0001'],
    [0n, 18, '0'],
    [1_234_567n, 2, '12,345.67'],
    [42n, 0, '42'],
    [999_999_999_999_999n * 10n ** 18n + 1n, 18, '999,999,999,999,999'],
    [10n ** 33n, 18, '1.00e+15'],
    [2n ** 256n - 1n, 18, '1.16e+59'],
  ])('%d with %d decimals reads %s', (raw, decimals, text) => expect(formatTokenBalance(raw, decimals)).toBe(text))
})
