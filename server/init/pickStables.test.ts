import { expect, it } from 'vitest'
import { type DollarCandidate, isCalledDollar, pickStables } from './pickStables.ts'

const e18 = 10n ** 18n
/** `perCoin`: how many are a coin; `depth`: coins. */
function dollar(symbol: string, perCoin: number, depth: number): DollarCandidate {
  const byte = (symbol.length * 31 + depth).toString(16).padStart(4, '0')
  return {
    address: `0x${byte.repeat(10)}`,
    symbol,
    valueE18: e18 / BigInt(perCoin),
    depthE18: (BigInt(Math.round(depth * 1_000)) * e18) / 1_000n,
  }
}
const pick = (...candidates: DollarCandidate[]) => {
  const { stables, leftOut, doubt } = pickStables(candidates)
  return { stables: stables.map(({ symbol }) => symbol), leftOut: leftOut.map(({ token }) => token.symbol), doubt }
}

it('a symbol that names the dollar is a claim, in whatever letters', () => {
  expect(['USDC', 'usdt', 'USD₮0', 'axlUSDC', 'DAI', 'xDAI', 'ＵＳＤＣ'].map(isCalledDollar)).toEqual(Array(7).fill(true))
  expect(['WETH', 'DAIRY', 'EURC', 'FRAXETH', ''].map(isCalledDollar)).toEqual(Array(5).fill(false))
})

it('the deepest against the coin is the main one, and those at its price are dollars too', () => {
  expect(pick(dollar('DAI', 2_010, 30), dollar('USDC', 2_000, 90), dollar('USDT', 1_990, 40))).toEqual({
    stables: ['USDC', 'USDT', 'DAI'],
    leftOut: [],
    doubt: undefined,
  })
})

it('one without a trade worth naming is left out, at whatever price', () => {
  expect(pick(dollar('USDC', 2_000, 100), dollar('USDX', 9, 0.9))).toEqual({
    stables: ['USDC'],
    leftOut: ['USDX'],
    doubt: undefined,
  })
})

it('a shallow one that has left the dollar is left out, a deep one leaves open which of them did', () => {
  expect(pick(dollar('USDC', 2_000, 100), dollar('USDD', 2_100, 5))).toMatchObject({ leftOut: ['USDD'], doubt: undefined })
  expect(pick(dollar('USDC', 2_000, 100), dollar('USDD', 2_100, 11)).doubt).toContain('trade at different prices')
  // Two that agree outweigh a third that trades a tenth of their sum.
  const { stables, doubt } = pick(dollar('USDC', 2_000, 100), dollar('USDT', 2_000, 80), dollar('USDD', 2_100, 17))
  expect([stables, doubt]).toEqual([['USDC', 'USDT'], undefined])
})

it('two of one symbol, or of symbols that look alike, are for a person to tell apart', () => {
  expect(pick(dollar('USDC', 2_000, 100), dollar('usdc', 2_000, 2)).doubt).toContain('two tokens use the symbol USDC')
  expect(pick(dollar('USDC', 2_000, 100), dollar('USDС', 2_000, 2)).doubt).toContain('two tokens use the symbol USDC')
  expect(pick(dollar('USDC', 2_000, 100), dollar('USDC', 2_000, 0.9)).doubt).toBeUndefined()
})

it('nothing is found where nothing is called a dollar', () => {
  expect(pick()).toEqual({ stables: [], leftOut: [], doubt: undefined })
})
