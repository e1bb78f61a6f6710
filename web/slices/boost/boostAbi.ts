import { parseAbi } from 'viem/utils'

/** What the page needs of the boost contract and of a payment token; a test holds it against contracts/artifacts. */
export const boostAbi = parseAbi([
  'function boostToken(address token, address paymentToken)',
  'function claimRefund(address paymentToken)',
  'function paused() view returns (bool)',
  'function boostPrice() view returns (uint256)',
  'function boostDuration() view returns (uint256)',
  'function pendingTerms() view returns (uint256 price, uint256 duration, uint256 effectiveAt)',
  'function paymentAmount(address paymentToken) view returns (uint256)',
  'function isPaymentTokenAllowed(address paymentToken) view returns (bool)',
  'function getBatchBoostStatus(address[] tokens) view returns (bool[] boosted, uint256[] expirations)',
  'function refundOf(address payer, address paymentToken) view returns (uint256)',
  'event TokenBoosted(address indexed token, address indexed payer, uint256 expiresAt)',
  'error EnforcedPause()',
  'error ReentrancyGuardReentrantCall()',
  'error SafeERC20FailedOperation(address token)',
  'error InsufficientPayment(uint256 received, uint256 required)',
  'error InvalidTokenAddress(address token)',
  'error PaymentTokenNotAllowed(address paymentToken)',
  'error TooManyPaymentsAhead(address token)',
  'error NoRefundToClaim(address payer, address paymentToken)',
  'error WithdrawFailed(address token, uint256 amount)',
])

/** With the two ways in which tokens commonly refuse to move, by name: OpenZeppelin's, and the shorter ones. */
export const paymentTokenAbi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error InsufficientBalance(address from, uint256 balance, uint256 wanted)',
  'error InsufficientAllowance(address from, address spender, uint256 allowed, uint256 wanted)',
])
