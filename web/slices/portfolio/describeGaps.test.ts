import { expect, test } from 'vitest'
import { describeGaps } from './describeGaps.ts'
import type { WalletView } from './usePortfolio.ts'
import type { Position } from './valueWallet.ts'

const position = (tokenAddress: string, usdE18: bigint | undefined) => ({ tokenAddress, usdE18 }) as Position

const wallet = (fields: Partial<WalletView>, tokens: Position[] = [], stakes: Position[] = []) =>
  ({ waiting: false, block: 12, stakesFailed: false, value: { tokens, stakes }, ...fields }) as WalletView

test('sums that leave out nothing need no words', () => {
  expect(describeGaps({ wallets: [], pricesFailed: false })).toBe('')
  expect(describeGaps({ wallets: [wallet({}, [position('0x1', 0n)])], pricesFailed: false })).toBe('')
})

test('a token without a price counts once, in however many wallets', () => {
  const held = [position('0x1', undefined), position('0x2', 5n)]
  expect(describeGaps({ wallets: [wallet({}, held), wallet({}, [], held)], pricesFailed: false })).toBe(
    "1 token without a price isn't counted.",
  )
})

test('what could not be read is said first', () => {
  const wallets = [
    wallet({ block: undefined }),
    wallet({ block: undefined, stakesFailed: true }),
    wallet({}, [position('0x1', undefined), position('0x2', undefined)]),
  ]
  expect(describeGaps({ wallets, pricesFailed: true })).toBe(
    "2 wallets could not be read. Some stakes of 1 wallet could not be read. Prices could not be refreshed. 2 tokens without a price aren't counted.",
  )
})

test('a wallet that is still being read leaves no gap yet', () => {
  expect(describeGaps({ wallets: [wallet({ waiting: true, block: undefined })], pricesFailed: false })).toBe('')
})
