import type { WireToken } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { addTotals, keepValues, valueWallet } from './valueWallet.ts'

const token = (address: string, priceInUsd: number, priceStatus: WireToken['priceStatus'] = 'priced') =>
  ({ address, priceInUsd, priceStatus }) as WireToken

const wrapped = token('0xwrapped', 2_500)
const listed: Readonly<Record<string, WireToken>> = {
  native: wrapped,
  '0xusdc': token('0xusdc', 0.9998),
  '0xold': token('0xold', 0.1, 'stale'),
  '0xnone': token('0xnone', 0, 'unpriced'),
}
const value = (holdings: [string, string][], stakes: [string, string][] = []) =>
  valueWallet(
    holdings.map(([tokenAddress, balance]) => ({ tokenAddress, balance })),
    stakes.map(([tokenAddress, balance]) => ({ tokenAddress, balance, contract: '0xstaking' })),
    (tokenAddress) => listed[tokenAddress],
  )

test('the coin is worth what the wrapped one is, and a balance of six decimals loses no digit', () => {
  const { tokens, liquidE18, stakedE18, totalE18 } = value([
    ['0xusdc', '25000.000001'],
    ['native', '2.000000000000000001'],
  ])
  expect(tokens.map(({ tokenAddress, usdE18, token }) => [tokenAddress, usdE18, token])).toEqual([
    ['0xusdc', 24_995_000_000_999_800_000_000n, listed['0xusdc']],
    ['native', 5_000_000_000_000_000_002_500n, wrapped],
  ])
  expect([liquidE18, stakedE18, totalE18]).toEqual([29_995_000_000_999_800_002_500n, 0n, 29_995_000_000_999_800_002_500n])
})

test('the dearest stands first; what has no price or is not listed stands last and adds nothing', () => {
  const { tokens, totalE18 } = value([
    ['0xnone', '7'],
    ['0xstranger', '8'],
    ['0xold', '30'],
    ['native', '1'],
  ])
  expect(tokens.map(({ tokenAddress, usdE18 }) => [tokenAddress, usdE18])).toEqual([
    ['native', 2_500n * 10n ** 18n],
    ['0xold', 3n * 10n ** 18n],
    ['0xnone', undefined],
    ['0xstranger', undefined],
  ])
  expect(totalE18).toBe(2_503n * 10n ** 18n)
})

test('stakes are apart, and nothing staked is no stake', () => {
  const { stakes, liquidE18, stakedE18, totalE18 } = value(
    [['native', '1']],
    [
      ['0xusdc', '0'],
      ['0xusdc', '0.0'],
      ['0xold', '1200'],
    ],
  )
  expect(stakes.map(({ tokenAddress, contract, usdE18 }) => [tokenAddress, contract, usdE18])).toEqual([
    ['0xold', '0xstaking', 120n * 10n ** 18n],
  ])
  expect([liquidE18, stakedE18, totalE18].map((sum) => sum / 10n ** 18n)).toEqual([2_500n, 120n, 2_620n])
})

test('the portfolio is the sum of its wallets; of none it is nothing', () => {
  expect(addTotals([])).toEqual({ liquidE18: 0n, stakedE18: 0n, totalE18: 0n })
  expect(
    addTotals([
      { liquidE18: 1n, stakedE18: 20n, totalE18: 21n },
      { liquidE18: 300n, stakedE18: 0n, totalE18: 300n },
    ]),
  ).toEqual({ liquidE18: 301n, stakedE18: 20n, totalE18: 321n })
})

const priced = { priceStatus: 'priced', priceInUsd: 2 } as WireToken
const find = () => priced
const holdings = [{ tokenAddress: '0x1', balance: '3' }]

test('a wallet is valued again when its balances, its stakes or the prices are others, and not otherwise', () => {
  const toValue = keepValues()
  const stakes: never[] = []
  const first = toValue('0xa', holdings, stakes, find)
  expect(first.totalE18).toBe(6n * 10n ** 18n)
  expect(toValue('0xb', holdings, stakes, find)).not.toBe(first)
  expect(toValue('0xa', holdings, stakes, find)).toBe(first)

  const more = toValue('0xa', [{ tokenAddress: '0x1', balance: '4' }], stakes, find)
  expect(more.totalE18).toBe(8n * 10n ** 18n)
  const staked = toValue('0xa', holdings, [{ tokenAddress: '0x1', balance: '1', contract: '0xc' }], find)
  expect(staked.totalE18).toBe(8n * 10n ** 18n)
  expect(toValue('0xa', holdings, stakes, () => ({ ...priced, priceInUsd: 5 })).totalE18).toBe(15n * 10n ** 18n)
})
