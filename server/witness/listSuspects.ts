import type { Hex } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { bitsOf, mayHold, toBloom } from './bloom.ts'
import { failureOfNode } from './failureOfNode.ts'

const headersAtOnce = 50
/** Blocks whose receipts are worth reading in one search. */
const suspectsMax = 48

/**
 * Blocks in whose bloom a pool is: where its logs may be, whatever a node says of their range.
 * @returns ascending; none where blooms hold nearly everything, or the node has none
 */
export async function listSuspects(
  node: Pick<Chain, 'readHeader'>,
  { pool, fromBlock, toBlock }: { readonly pool: Hex; readonly fromBlock: number; readonly toBlock: number },
): Promise<number[]> {
  const bits = bitsOf(pool)
  const suspects: number[] = []
  for (let from = fromBlock; from <= toBlock; from += headersAtOnce) {
    const blocks = Array.from({ length: Math.min(headersAtOnce, toBlock - from + 1) }, (_, i) => from + i)
    const headers = await Promise.all(blocks.map((block) => node.readHeader(block).catch(failureOfNode)))
    for (const header of headers)
      if (header && 'logsBloom' in header && header.logsBloom && mayHold(toBloom(header.logsBloom), bits))
        suspects.push(header.number)
    if (suspects.length > suspectsMax) return []
  }
  return suspects
}
