import { type Address, parseAddress } from '@chainboard/core'
import { concat, numberToHex, pad, toFunctionSelector } from 'viem'
import type { ViewAnswer, ViewCall } from '../chain/callMany.ts'
import type { ListedToken } from '../market/tokenList.ts'
import { toWord } from './toWord.ts'

/** How a staking contract is asked what a wallet has staked there. */
export type StakeCall = {
  readonly contract: Address
  /** As the contract writes it: `userInfo(uint256,address)`. */
  readonly signature: string
  readonly toCall: (wallet: Address) => ViewCall
  /** The staked amount in smallest units; undefined for an answer that tells none. */
  readonly toAmount: (answer: ViewAnswer) => bigint | undefined
}

/** The way the list names for a token (`stakingAdapters` in tokenList.ts); undefined when it names no staking contract. */
export function findStakeCall({
  stakingContract,
  stakingAdapter = 'balanceOf',
  stakingPool,
}: ListedToken): StakeCall | undefined {
  const contract = parseAddress(stakingContract ?? '')
  if (!contract) return undefined
  const pool = stakingPool === undefined ? [] : [numberToHex(stakingPool, { size: 32 })]
  const signature = `${stakingAdapter}(${pool.length > 0 ? 'uint256,' : ''}address)`
  return {
    contract,
    signature,
    toCall: (wallet) => ({ to: contract, data: concat([toFunctionSelector(signature), ...pool, pad(wallet)]) }),
    toAmount: stakingAdapter === 'userInfo' ? toFirstWord : toWord,
  }
}

/** Forks of MasterChef answer with more words, and with different ones, behind the amount. */
function toFirstWord(answer: ViewAnswer): bigint | undefined {
  return answer && /^0x([0-9a-f]{64})+$/i.test(answer) ? BigInt(answer.slice(0, 66)) : undefined
}
