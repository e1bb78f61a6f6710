import { type Address, Failure } from '@chainboard/core'
import { type BlockHash, callMany, type ViewAnswer, type ViewCall } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'
import type { BlockRef } from '../store/syncCursor.ts'

type Node = Pick<Chain, 'forward' | 'readHeader'>

/**
 * Asks contracts at the very block that the index holds: by its hash, or, of a node that takes none, by its number with the
 * header read before and after. Never at the newest block: that would compare two moments.
 * @throws Failure `rpc-…` when the node no longer has the block's state, or another block of that number
 */
export async function callAt(
  node: Node,
  calls: readonly ViewCall[],
  { block, multicall }: { block: BlockRef; multicall: Address },
): Promise<ViewAnswer[]> {
  const at = (place: number | BlockHash) => callMany(node, calls, { multicall, block: place })
  return at({ blockHash: block.hash }).catch(async (error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'rpc-refused') throw error
    return readAround(node, block, () => at(block.number))
  })
}

/** An answer by number, if the block was the wanted one before and after. */
async function readAround<T>(node: Pick<Chain, 'readHeader'>, block: BlockRef, read: () => Promise<T>): Promise<T> {
  const check = async () => {
    const header = await node.readHeader(block.number)
    if (header?.hash !== block.hash)
      throw new Failure('rpc-unavailable', `The node has another block ${block.number}`, { retryable: true })
  }
  await check()
  const answer = await read()
  await check()
  return answer
}
