import { expect, test } from 'vitest'
import { findObstacle, isCovered } from './judgeFacts.ts'
import { testFacts } from './testFacts.ts'

const wallet = { address: '0x1', balanceRaw: 25_000_000n, allowanceRaw: 0n, refundRaw: 0n }

test.each([
  ['nothing, with exactly the price', {}, undefined],
  ['a pause', { paused: true, accepted: false }, 'Boost contract is currently paused. Please try again later.'],
  ['USDC not accepted', { accepted: false }, 'USDC is not currently accepted as payment. Please contact support.'],
  ['a price that nobody knows', { costRaw: 0n }, 'Failed to fetch boost price'],
  ['a unit too little', { wallet: { ...wallet, balanceRaw: 24_999_999n } }, 'funds'],
  ['nothing, without a wallet', { wallet: undefined }, undefined],
])('in the way of a boost is %s', (_, facts, obstacle) => {
  const found = findObstacle({ ...testFacts, wallet, ...facts })
  expect(found && ('text' in found ? found.text : found.kind)).toBe(obstacle)
})

test('an allowance covers the price exactly, and an unknown price never', () => {
  const withAllowance = (allowanceRaw: bigint) => ({ ...testFacts, wallet: { ...wallet, allowanceRaw } })
  expect(isCovered(withAllowance(25_000_000n))).toBe(true)
  expect(isCovered(withAllowance(24_999_999n))).toBe(false)
  expect(isCovered({ ...withAllowance(25_000_000n), costRaw: 0n })).toBe(false)
  expect(isCovered(testFacts)).toBe(false)
})
