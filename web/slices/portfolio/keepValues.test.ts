import type { WireToken } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { keepValues } from './keepValues.ts'

const token = { priceStatus: 'priced', priceInUsd: 2 } as WireToken
const find = () => token
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
  expect(toValue('0xa', holdings, stakes, () => ({ ...token, priceInUsd: 5 })).totalE18).toBe(15n * 10n ** 18n)
})
