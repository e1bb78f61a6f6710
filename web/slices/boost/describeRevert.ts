import { toDisplayText } from '@chainboard/core'
import { decodeErrorResult } from 'viem/utils'
import { isHex } from '../../lib/untrusted.ts'
import { boostAbi, paymentTokenAbi } from './boostAbi.ts'
import { notAcceptedText, pausedText } from './judgeFacts.ts'

const words: Readonly<Record<string, string>> = {
  EnforcedPause: pausedText,
  PaymentTokenNotAllowed: notAcceptedText,
  TooManyPaymentsAhead:
    'This token is already boosted as far ahead as the contract allows. Try again when one of its boosts has ended.',
  InvalidTokenAddress: 'There is no token at this address.',
  InsufficientPayment: 'The contract received less than the price, so it refused the payment.',
  ReentrancyGuardReentrantCall: 'The contract refused a nested call.',
  SafeERC20FailedOperation: 'USDC refused the payment.',
  WithdrawFailed: 'USDC refused the refund.',
  NoRefundToClaim: 'There is no refund left to claim.',
  ERC20InsufficientBalance: 'Your USDC balance no longer covers the price.',
  InsufficientBalance: 'Your USDC balance no longer covers the price.',
  ERC20InsufficientAllowance: 'Your approval no longer covers the price. Approve USDC again.',
  InsufficientAllowance: 'Your approval no longer covers the price. Approve USDC again.',
}

const wordsMax = 200
/** Of the four bytes that name an error, as text. */
const selectorLength = 10

/** What a contract said no with, in words; `undefined` when it gave no reason that is known. */
export function describeRevert(data: unknown): string | undefined {
  if (!isHex(data) || data.length < selectorLength) return undefined
  try {
    const { errorName, args } = decodeErrorResult({ abi: [...boostAbi, ...paymentTokenAbi], data })
    const name: string = errorName
    // A reason that somebody wrote into a contract.
    if (name === 'Error') return toDisplayText(String(args?.[0] ?? ''), '', wordsMax) || undefined
    return words[name]
  } catch {
    return undefined
  }
}
