import { expect, test } from 'vitest'
import { describeRevert } from './describeRevert.ts'

/** An address or a number as a word of call data. */
const word = (hex: string) => hex.padStart(64, '0')

// Selectors are the published ones of OpenZeppelin's and Solidity's own errors.
test.each([
  ['0xd93c0665', 'Boost contract is currently paused. Please try again later.'],
  ['0x12345678', undefined],
  ['0x', undefined],
  ['', undefined],
  [undefined, undefined],
  [{ data: '0xd93c0665' }, undefined],
  // Error(string) with "frozen\u202E" in it.
  [`0x08c379a0${word('20')}${word('9')}${'66726f7a656ee280ae'.padEnd(64, '0')}`, 'frozen'],
  // ERC20InsufficientAllowance(address,uint256,uint256)
  [`0xfb8f41b2${word('1')}${word('0')}${word('5')}`, 'Your approval no longer covers the price. Approve USDC again.'],
  // ERC20InsufficientBalance(address,uint256,uint256)
  [`0xe450d38c${word('1')}${word('0')}${word('5')}`, 'Your USDC balance no longer covers the price.'],
  // SafeERC20FailedOperation(address)
  [`0x5274afe7${word('1')}`, 'USDC refused the payment.'],
])('%s', (data, text) => expect(describeRevert(data)).toBe(text))
