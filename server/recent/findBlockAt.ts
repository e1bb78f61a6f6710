import { Failure } from '@chainboard/core'
import type { Chain, Header } from '../chain/chain.ts'

/** Headers read for one search: each halves what is left, or better. */
const looksMax = 60

/**
 * The newest block that was made before a time.
 * @param newest of the span that is searched
 * @returns undefined when the block before the span's first one was not made before it, or there is none
 * @throws Failure `rpc-…`, `rpc-unavailable` for a block of the span that the node does not have
 */
export async function findBlockAt(
  chain: Pick<Chain, 'readHeader'>,
  beforeSeconds: number,
  { firstBlock, newest }: { readonly firstBlock: number; readonly newest: Header },
): Promise<Header | undefined> {
  const read = async (number: number) => {
    const header = await chain.readHeader(number)
    if (!header) throw new Failure('rpc-unavailable', `The node does not have block ${number}`, { retryable: true })
    return header
  }
  let low = await read(Math.max(0, firstBlock - 1))
  let high = newest
  if (low.timestampSeconds >= beforeSeconds) return undefined
  if (high.timestampSeconds < beforeSeconds) return high
  for (let look = 0; high.number - low.number > 1 && look < looksMax; look += 1) {
    const [blocks, seconds] = [high.number - low.number, high.timestampSeconds - low.timestampSeconds]
    // Blocks of the same pace lie where the time says; each other look halves what is left, whatever the pace.
    const guess = Math.floor(((beforeSeconds - low.timestampSeconds) * blocks) / Math.max(1, seconds))
    const step = look % 2 === 0 ? Math.min(blocks - 1, Math.max(1, guess)) : blocks >> 1
    const middle = await read(low.number + step)
    if (middle.timestampSeconds < beforeSeconds) low = middle
    else high = middle
  }
  return low
}
