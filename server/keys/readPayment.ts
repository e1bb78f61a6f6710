import type { WireKeyPayment } from '@chainboard/contract'
import { type Address, type Hex, rawToDecimal } from '@chainboard/core'
import { getAddress, pad } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { within } from './within.ts'

/** keccak256 of `Transfer(address,address,uint256)`. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const transfersMax = 20
/** An operator does not wait longer for it: the key is made either way. */
const timeoutMs = 6_000

type Receipt = { status?: Hex; logs?: readonly { address: Hex; topics: readonly Hex[]; data: Hex }[] }

/** Which USDC a transaction moved, as the chain says; never fails: what cannot be said is `unknown`. */
export async function readPayment(
  { forward }: Pick<Chain, 'forward'>,
  usdc: { readonly address: Address; readonly decimals: number },
  txHash: string,
): Promise<WireKeyPayment> {
  const none = (status: WireKeyPayment['status']): WireKeyPayment => ({ status, transfers: [] })
  try {
    const receipt = (await within(timeoutMs, forward('eth_getTransactionReceipt', [txHash]))) as Receipt | null
    if (!receipt) return none('missing')
    if (receipt.status !== '0x1') return none('failed')
    const transfers = (receipt.logs ?? []).flatMap(({ address, topics, data }) => {
      const [topic, from, to] = topics
      if (topic !== transferTopic || !from || !to || topics.length !== 3) return []
      if (address.toLowerCase() !== usdc.address) return []
      return [{ amount: rawToDecimal(BigInt(data), usdc.decimals), payer: toAddress(from), recipient: toAddress(to) }]
    })
    return { status: 'found', transfers: transfers.slice(0, transfersMax) }
  } catch {
    return none('unknown')
  }
}

function toAddress(topic: Hex): string {
  return getAddress(`0x${pad(topic, { size: 32 }).slice(-40)}`)
}
