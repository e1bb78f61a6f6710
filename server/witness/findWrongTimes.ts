import type { Chain } from '../chain/chain.ts'
import { listBlocksDown } from '../store/blocks.ts'
import type { Db } from '../store/store.ts'
import type { BlockRef } from '../store/syncCursor.ts'

/** References compared at once. */
const comparedAtOnce = 16

/**
 * The lowest of the blocks, in a row of references down from one, that the index has by the same hash and another time than a node.
 * @returns undefined when that one itself is not such a block
 * @throws Failure of the node
 */
export async function findWrongTimes(
  { readHeader }: Pick<Chain, 'readHeader'>,
  read: Db,
  { number }: Pick<BlockRef, 'number'>,
): Promise<number | undefined> {
  let wrong: number | undefined
  for (let below = number; ; ) {
    const refs = await listBlocksDown(read, below, comparedAtOnce)
    const headers = await Promise.all(refs.map((ref) => readHeader(ref.number)))
    for (const [i, ref] of refs.entries()) {
      const header = headers[i]
      if (header?.hash !== ref.hash || header.timestampSeconds === ref.timestampSeconds) return wrong
      wrong = ref.number
    }
    if (refs.length < comparedAtOnce) return wrong
    below = (wrong as number) - 1
  }
}
