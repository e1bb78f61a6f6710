import type { Chain, ChainLog } from '../chain/chain.ts'
import { findBlock } from '../store/blocks.ts'
import type { Db } from '../store/store.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import { failureOfNode } from './failureOfNode.ts'
import { judgeWeight, type ReceiptTraits } from './proof/receiptTraits.ts'
import { readReceipts } from './readReceipts.ts'

export type EvidenceDeps = { readonly read: Db; readonly receipts: ReceiptTraits }

export type Evidence = { readonly logs: readonly ChainLog[]; readonly isProven: boolean }

/**
 * The logs of a block's receipts, with the time of their header, if these fit their header, and it is the block of the index there: by its hash, or because the
 * node has the index's last block above it. The index may have no hash of an old block, or a false one that a node once gave.
 * @returns undefined when it is another block, the receipts do not fit it, as those of a node that has forgotten them, or the node
 * does not answer
 */
export async function readEvidence({ read, receipts }: EvidenceDeps, node: Chain, block: number): Promise<Evidence | undefined> {
  const [ref, last] = [await findBlock(read, block), (await findCursor(read))?.block]
  try {
    const [{ header, logs, weight }, top] = await Promise.all([
      readReceipts(node, block),
      last && last.number > block ? node.readHeader(last.number) : undefined,
    ])
    const isOwn = (!ref && !last) || (ref !== undefined && header.hash === ref.hash) || isSameBlock(top, last)
    const strength = judgeWeight(weight, receipts.traits())
    if (!strength || !isOwn || logs.some(({ blockHash }) => blockHash !== header.hash)) return undefined
    return { logs: logs.map((log) => ({ ...log, timestampSeconds: header.timestampSeconds })), isProven: strength === 'proven' }
  } catch (error) {
    failureOfNode(error)
    return undefined
  }
}

function isSameBlock(a: BlockRef | undefined, b: BlockRef | undefined): boolean {
  return a !== undefined && a.hash === b?.hash
}

const sampleEveryMs = 10_000
const sampleSeldomMs = 600_000

type SampleDeps = Pick<EvidenceDeps, 'receipts'> & { readonly nodes: readonly Chain[]; readonly nowMs: () => number }

/**
 * Learns from every node's receipts of the newest block what the chain's roots and blooms mean: at most every 10 s, ever more seldom
 * up to 10 min, until that is known.
 */
export function createSampler({ nodes, receipts, nowMs }: SampleDeps): (block: BlockRef) => Promise<void> {
  let [samples, nextMs] = [0, 0]
  return async ({ number, hash }) => {
    const { roots, blooms } = receipts.traits()
    if ((roots !== undefined && blooms !== undefined) || nowMs() < nextMs) return
    samples += 1
    nextMs = nowMs() + Math.min(sampleSeldomMs, sampleEveryMs * samples)
    const answers = await Promise.all(nodes.map((node) => readReceipts(node, number).catch(failureOfNode)))
    for (const answer of answers) if ('weight' in answer && answer.header.hash === hash) receipts.see(number, answer.weight)
  }
}
