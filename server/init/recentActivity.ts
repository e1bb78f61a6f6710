import type { Address } from '@chainboard/core'
import { toEventSelector } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { decodeLog } from '../indexer/decodeLog.ts'
import { scanLogs } from './scanLogs.ts'

const swapTopic = toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)')
/** First topic of the event of a pool by which liquidity is added. */
export const mintTopic = toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)')
/** Newest ranges that are read for trades. */
const requestsMax = 12
const logsMax = 20_000

/** Trades of late, by the contract that told of them, whatever it is. The most traded come first. */
export type RecentActivity = {
  readonly swaps: ReadonlyMap<Address, number>
  /** Who provided liquidity, as the contracts tell it: position managers, if they are pools. */
  readonly providers: ReadonlySet<Address>
}

/** What was traded lately on any exchange of this kind. Every contract may claim trades: nothing here is believed alone. */
export async function readRecentActivity(
  chain: Pick<Chain, 'forward'>,
  { head, width }: { readonly head: number; readonly width: number },
): Promise<RecentActivity> {
  const { logs } = await scanLogs(
    chain,
    { from: 0, to: head, topics: [swapTopic, mintTopic] },
    { width, requestsMax, logsMax, newestFirst: true },
  )
  const swaps = new Map<Address, number>()
  const providers = new Set<Address>()
  for (const log of logs) {
    const event = decodeLog(log)
    if (event?.kind === 'swap') swaps.set(event.pool, (swaps.get(event.pool) ?? 0) + 1)
    else if (log.topics[0] === mintTopic) providers.add(toProvider(log))
  }
  return { swaps: new Map([...swaps].sort(([, a], [, b]) => b - a)), providers }
}

/** The owner of the position in a Mint. */
export function toProvider({ topics }: { readonly topics: readonly string[] }): Address {
  return `0x${(topics[1] ?? '').slice(-40)}`
}
