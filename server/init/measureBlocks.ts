import { Failure } from '@chainboard/core'
import type { Chain, Header } from '../chain/chain.ts'
import { parseHeader } from '../chain/parseAnswer.ts'

/** Blocks over which the time of one is measured. */
const spans = [1_000, 20] as const
const blockSecondsDefault = 2
const confirmationsDefault = 64
const confirmationsMin = 16
/** Within the confirmations every header is read: more of them cost more than a deep reorg does. */
const confirmationsMax = 128

/** `blockSeconds`: the average of late; `confirmations`: twice as deep as what the node calls final, within 16 to 128. */
export type BlockRhythm = { readonly blockSeconds: number; readonly confirmations: number }

/** How fast a chain's blocks come, and how many may still change. @throws Failure of the codes `rpc-…` */
export async function measureBlocks(chain: Pick<Chain, 'readHeader' | 'forward'>, head: Header): Promise<BlockRhythm> {
  const [blockSeconds, finalized] = await Promise.all([measureSeconds(chain, head), findFinalized(chain)])
  const confirmations =
    finalized === undefined
      ? confirmationsDefault
      : Math.min(confirmationsMax, Math.max(confirmationsMin, 2 * (head.number - finalized)))
  return { blockSeconds, confirmations }
}

async function measureSeconds({ readHeader }: Pick<Chain, 'readHeader'>, head: Header): Promise<number> {
  for (const span of spans) {
    // Block 0 has whatever time its file says.
    const number = Math.max(1, head.number - span)
    const before = number < head.number ? await readHeader(number) : undefined
    if (before) return (head.timestampSeconds - before.timestampSeconds) / (head.number - number)
  }
  return blockSecondsDefault
}

/** Undefined for a node that does not know the word. */
async function findFinalized({ forward }: Pick<Chain, 'forward'>): Promise<number | undefined> {
  try {
    const answer = await forward('eth_getBlockByNumber', ['finalized', false])
    return answer === null ? undefined : parseHeader(answer).number
  } catch (error) {
    if (error instanceof Failure && (error.code === 'rpc-refused' || error.code === 'rpc-invalid')) return undefined
    throw error
  }
}
