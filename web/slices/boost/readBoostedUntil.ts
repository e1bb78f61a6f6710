import { decodeEventLog } from 'viem/utils'
import { boostAbi } from './boostAbi.ts'
import type { Receipt } from './followTransaction.ts'

/** Until when the contract says in a receipt that the token is boosted, in unix seconds; `undefined` when it does not. */
export function readBoostedUntil({ logs }: Receipt, contract: string): number | undefined {
  for (const { address, topics, data } of logs) {
    if (address.toLowerCase() !== contract.toLowerCase()) continue
    try {
      const { args } = decodeEventLog({ abi: boostAbi, eventName: 'TokenBoosted', topics: topics as [`0x${string}`], data })
      if (args) return Number(args.expiresAt)
    } catch {
      // Another event of the contract.
    }
  }
  return undefined
}
