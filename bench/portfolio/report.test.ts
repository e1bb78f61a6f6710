import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { toHolding, toWallet } from './placeTokens.ts'
import { toSection } from './report.ts'

it('shows both ways of both readings, and the calls to the node', () => {
  const times = { alone: Array.from({ length: 20 }, (_, i) => 20 - i), together: [40, 20, 60], callsPerWallet: 1.5 }
  const ways = [
    { name: 'with a multicall', times },
    { name: 'without', times: { ...times, alone: [9, 9, 9.96], callsPerWallet: 501 } },
  ]
  const section = toSection({ ...quiet, wallets: 3, tokens: 500, ways })
  expect(readRows(section)).toEqual([
    ['with a multicall, one by one', '10.0', '19.0', '20.0'],
    ['with a multicall, 3 at once', '40.0', '60.0', '60.0'],
    ['without, one by one', '9.0', '10.0', '10.0'],
    ['without, 3 at once', '40.0', '60.0', '60.0'],
  ])
  expect(section).toContain(
    'Calls to the node per wallet, including those that follow the chain: 1.50 with a multicall, 501.00 without.',
  )
})

it('gives every pair of wallet and token another amount, which the chain can be compared with', () => {
  expect(toHolding(0, 0)).toBe(1_000_000_000_000_000_001n)
  expect(toHolding(4, 499)).toBe(5_000_000_000_000_000_500n)
  const amounts = Array.from({ length: 20 }, (_, wallet) => Array.from({ length: 50 }, (_, token) => toHolding(wallet, token)))
  expect(new Set(amounts.flat()).size).toBe(1_000)
  expect(toWallet(255)).toBe('0x000000000000000000000000000000aa000000ff')
})
