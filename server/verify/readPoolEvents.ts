import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { decodePoolEvent, poolTopics } from '../indexer/decodeLog.ts'
import type { ReplayEvent } from '../indexer/replayWorld.ts'

/** Blocks in one question for logs: what public nodes answer, and a site's own gateway. */
export const logRangeDefault = 1_000

/** How a node is asked. `onLogs`: after each question for logs, for whoever waits. */
export type Asking = { readonly chain: Chain; readonly logRange: number; readonly onLogs: (blocks: number) => void }

/** What happened in a pool, in the order of the chain, by its logs. Both ends are included. */
export async function readPoolEvents(
  { chain, logRange, onLogs }: Asking,
  address: Address,
  blocks: { readonly from: number; readonly to: number },
): Promise<ReplayEvent[]> {
  const events: ReplayEvent[] = []
  for (let from = blocks.from; from <= blocks.to; from += logRange) {
    const to = Math.min(blocks.to, from + logRange - 1)
    const { logs } = await chain.readRange({ from, to, topics: poolTopics, address, everyHeader: false })
    onLogs(to - from + 1)
    for (const log of logs) {
      const event = decodePoolEvent(log)
      if (event && event.kind !== 'setFeeProtocol') events.push(event)
    }
  }
  return events
}
