import type { Address } from '@chainboard/core'
import { type Abi, encodeFunctionData, parseAbi } from 'viem'
import type { Chain } from './chain.ts'
import { isRevert } from './isRevert.ts'

// View functions of Uniswap v3's factory, pools and position manager, of a v2 factory, of tokens and of the boost contract. Of `slot0` only the first word is read: later ones differ between forks.
const abi: Abi = parseAbi([
  'function owner() view returns (address)',
  'function feeAmountTickSpacing(uint24 fee) view returns (int24)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
  'function factory() view returns (address)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function fee() view returns (uint24)',
  'function slot0() view returns (uint160 sqrtPriceX96)',
  'function liquidity() view returns (uint128)',
  'function WETH9() view returns (address)',
  'function allPairsLength() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function boostPrice() view returns (uint256)',
  'function boostDuration() view returns (uint256)',
  'function paused() view returns (bool)',
  'function isPaymentTokenAllowed(address paymentToken) view returns (bool)',
])

/** What each function answers. `slot0`: the pool's sqrtPriceX96. Addresses are lower case. */
export type ContractAnswers = {
  readonly owner: Address
  readonly feeAmountTickSpacing: number
  readonly getPool: Address
  readonly factory: Address
  readonly token0: Address
  readonly token1: Address
  readonly fee: number
  readonly slot0: bigint
  readonly liquidity: bigint
  readonly WETH9: Address
  readonly allPairsLength: bigint
  readonly balanceOf: bigint
  readonly totalSupply: bigint
  readonly decimals: number
  readonly boostPrice: bigint
  readonly boostDuration: bigint
  readonly paused: boolean
  readonly isPaymentTokenAllowed: boolean
}

export type ContractCall<N extends keyof ContractAnswers> = {
  readonly to: Address
  readonly name: N
  readonly args?: readonly (Address | number)[]
  /** The newest block when absent. */
  readonly block?: number
}

/** The factory's answer for a pool that it does not have. */
export const noAddress: Address = `0x${'0'.repeat(40)}`

/**
 * Asks a contract one view function. Calls made at the same moment travel together.
 * @returns undefined when no contract is there, or it does not know the function
 * @throws Failure of the codes `rpc-…` when the node does not run the call, as for a block whose state it no longer has
 */
export async function readContract<N extends keyof ContractAnswers>(
  { forward }: Pick<Chain, 'forward'>,
  { to, name, args = [], block }: ContractCall<N>,
): Promise<ContractAnswers[N] | undefined> {
  const functionName: string = name
  const data = encodeFunctionData({ abi, functionName, args })
  try {
    const answer = await forward('eth_call', [{ to, data }, block === undefined ? 'latest' : `0x${block.toString(16)}`])
    return decodeFirstWord(name, answer)
  } catch (error) {
    if (isRevert(error)) return undefined
    throw error
  }
}

function decodeFirstWord<N extends keyof ContractAnswers>(name: N, answer: unknown): ContractAnswers[N] | undefined {
  if (typeof answer !== 'string' || answer.length < 66) return undefined
  const word = answer.slice(2, 66)
  return decoders[name](word)
}

const toAddress = (word: string): Address => `0x${word.slice(24).toLowerCase()}`
const toBigInt = (word: string): bigint => BigInt(`0x${word}`)
const toNumber = (word: string): number => Number(toBigInt(word))
const toBoolean = (word: string): boolean => toBigInt(word) !== 0n

const decoders: { readonly [N in keyof ContractAnswers]: (word: string) => ContractAnswers[N] } = {
  owner: toAddress,
  feeAmountTickSpacing: toNumber,
  getPool: toAddress,
  factory: toAddress,
  token0: toAddress,
  token1: toAddress,
  fee: toNumber,
  slot0: toBigInt,
  liquidity: toBigInt,
  WETH9: toAddress,
  allPairsLength: toBigInt,
  balanceOf: toBigInt,
  totalSupply: toBigInt,
  decimals: toNumber,
  boostPrice: toBigInt,
  boostDuration: toBigInt,
  paused: toBoolean,
  isPaymentTokenAllowed: toBoolean,
}
