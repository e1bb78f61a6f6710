import { type BlockTime, findDisorder } from '../chain/blockTimes.ts'
import type { ChainRange } from '../chain/chain.ts'
import type { BlockRef } from '../store/syncCursor.ts'

/**
 * Whether a range continues the cursor's block and agrees with itself: parents match where neighbours are known, and no log
 * comes from another version of a block than its header. Pure.
 */
export function isLinked({ headers, logs }: ChainRange, cursor: BlockRef | undefined): boolean {
  const byNumber = new Map(headers.map((header) => [header.number, header]))
  const linked = headers.every((header) => {
    const parentHash = header.number - 1 === cursor?.number ? cursor.hash : byNumber.get(header.number - 1)?.hash
    return parentHash === undefined || parentHash === header.parentHash
  })
  return linked && logs.every((log) => (byNumber.get(log.blockNumber)?.hash ?? log.blockHash) === log.blockHash)
}

/** What is wrong with the times of a range behind the cursor's block, in words; undefined when nothing is. Pure. */
export function findWrongTime({ headers, logs }: ChainRange, cursor: BlockRef | undefined): string | undefined {
  const timesOfLogs = logs.map(({ blockNumber: number, timestampSeconds }): BlockTime => ({ number, timestampSeconds }))
  return findDisorder([...(cursor ? [cursor] : []), ...headers, ...timesOfLogs])
}
