import type { WireToken } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { toPortfolioRows } from './portfolioRows.ts'
import { valueWallet } from './valueWallet.ts'

const coin = { name: 'Ember', symbol: 'EMB', decimals: 18 }
const token = (fields: Partial<WireToken>) => ({ priceStatus: 'priced', ...fields }) as WireToken
const listed: Readonly<Record<string, WireToken>> = {
  native: token({ name: 'Wrapped Ember', symbol: 'WEMB', priceInUsd: 2_500 }),
  '0xcndr': token({ name: '=Cinderbank\u202E', symbol: 'CNDR', priceInUsd: 3.42 }),
  '0xnone': token({ name: 'Ochre', symbol: 'OCHR', priceInUsd: 0, priceStatus: 'unpriced' }),
}

test('each position is a row with all digits of its balance and its value', () => {
  const value = valueWallet(
    [
      { tokenAddress: 'native', balance: '41.500000000000000001' },
      { tokenAddress: '0xnone', balance: '7' },
      { tokenAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', balance: '1' },
    ],
    [{ tokenAddress: '0xcndr', balance: '1200', contract: '0xstaking' }],
    (address) => listed[address],
  )
  expect(toPortfolioRows([{ address: '0xwallet', value, block: 7, stakesFailed: false }], coin)).toEqual([
    ['Wallet', 'Kind', 'Name', 'Symbol', 'Token', 'Staking contract', 'Balance', 'Price USD', 'Value USD'],
    ['0xwallet', 'Token', 'Ember', 'EMB', 'native', '', '41.500000000000000001', '2500', '103750.0000000000000025'],
    ['0xwallet', 'Token', 'Ochre', 'OCHR', '0xnone', '', '7', '', ''],
    ['0xwallet', 'Token', '0x7099…79C8', '0x7099…79C8', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '', '1', '', ''],
    ['0xwallet', 'Staked', '=Cinderbank (Staked)', 'CNDR', '0xcndr', '0xstaking', '1200', '3.42', '4104'],
  ])
})

test('the last rows name the wallets that are missing, and those of which stakes are', () => {
  const value = valueWallet([{ tokenAddress: '0xnone', balance: '7' }], [], (address) => listed[address])
  const nothing = valueWallet([], [], () => undefined)
  const wallets = [
    { address: '0xa', value, block: 7, stakesFailed: true },
    { address: '0xb', value: nothing, block: undefined, stakesFailed: true },
    { address: '0xc', value: nothing, block: undefined, stakesFailed: false },
    { address: '0xd', value: nothing, block: 7, stakesFailed: false },
  ]
  expect(toPortfolioRows(wallets, coin).slice(1)).toEqual([
    ['0xa', 'Token', 'Ochre', 'OCHR', '0xnone', '', '7', '', ''],
    ['0xa', 'Missing', 'Some stakes could not be read', '', '', '', '', '', ''],
    ['0xb', 'Missing', 'This wallet could not be read', '', '', '', '', '', ''],
    ['0xc', 'Missing', 'This wallet could not be read', '', '', '', '', '', ''],
  ])
})
