import { type Address, Failure } from '@chainboard/core'
import { getAddress } from 'viem'
import { askAlone } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'
import type { StakeCall } from './stakeCall.ts'

/**
 * Reads what a wallet has staked, in smallest units of the token.
 * @throws Failure `wallet-unreadable` when the contract tells no amount, and those of the codes `rpc-…`
 */
export async function readStake(chain: Pick<Chain, 'forward'>, stake: StakeCall, wallet: Address): Promise<bigint> {
  const amountRaw = stake.toAmount(await askAlone(chain, stake.toCall(wallet)))
  if (amountRaw !== undefined) return amountRaw
  throw new Failure('wallet-unreadable', `${getAddress(stake.contract)} returns no amount from ${stake.signature}`)
}
