import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { decodePoolEvent, poolTopics } from '../indexer/decodeLog.ts'
import type { ReplayEvent } from '../indexer/replayWorld.ts'

/** Blocks in one question for logs: what public nodes answer, and a site's own gateway. */
export const logRangeDefault = 1_000

/**
 * What the verification has just done, for whoever watches: that the rules are read, that the node has the block, what it says of a pool of
 * the receipt, what price follows, and how many pools were weighed against these.
 */
export type VerifyStep =
  | { readonly kind: 'rules' }
  | { readonly kind: 'block'; readonly number: number; readonly hash: string }
  | { readonly kind: 'pool'; readonly pool: Address; readonly medianX96: bigint | undefined }
  | { readonly kind: 'price'; readonly computed: string }
  | { readonly kind: 'choice'; readonly pools: number }

/** How a node is asked. `onLogs`: after each question for logs, `onStep`: after each step, to show progress. */
export type Asking = {
  readonly chain: Chain
  readonly logRange: number
  readonly onLogs: (blocks: number) => void
  readonly onStep?: (step: VerifyStep) => void
}

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
