import type { Hex } from '@chainboard/core'
import type { Chain, ChainLog } from '../chain/chain.ts'
import { findBlock } from '../store/blocks.ts'
import type { Db } from '../store/store.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import { failureOfNode } from './failureOfNode.ts'
import { judgeWeight, type ReceiptTraits } from './proof/receiptTraits.ts'
import { readReceipts } from './readReceipts.ts'

export type EvidenceDeps = { readonly read: Db; readonly receipts: ReceiptTraits }

/** A block's logs by one node's receipts, with the time of their header. A proof is one of its header only: where the index has another one, it proves nothing. */
export type Evidence = { readonly logs: readonly ChainLog[]; readonly isProven: boolean }

/** What one node gives. `isOurs`: the index has this hash. `evidence`: undefined where the receipts do not fit their header, as those of a node that has forgotten them. */
type Given = { readonly hash: Hex; readonly isOurs: boolean; readonly evidence: Evidence | undefined }

/**
 * What the nodes' receipts say of a block of the index: it is the one that the index holds by its hash; or, as the index may have no hash of an old block, or a false
 * one that a node once gave, by the index's last block above it on the same node. A balancer mixes branches: another hash than the index's has to be that of more than
 * half of the nodes; then only what goes with that hash counts, as receipts prove themselves under any header that was made for them.
 * @returns what counts; a node that has another block, or gives no receipts that fit, is left out
 */
export async function readEvidence(deps: EvidenceDeps, nodes: readonly Chain[], block: number): Promise<Evidence[]> {
  const answers = await Promise.all(nodes.map((node) => readGiven(deps, node, block)))
  return pickGiven(answers.flatMap((answer) => answer ?? []))
}

/** Pure. */
export function pickGiven(given: readonly Given[]): Evidence[] {
  const isOfMost = (hash: Hex) => given.filter((each) => each.hash === hash).length * 2 > given.length
  const counts = given.some(({ hash }) => isOfMost(hash)) ? ({ hash }: Given) => isOfMost(hash) : ({ isOurs }: Given) => isOurs
  return given.flatMap((each) => (each.evidence && counts(each) ? [each.evidence] : []))
}

async function readGiven({ read, receipts }: EvidenceDeps, node: Chain, block: number): Promise<Given | undefined> {
  const [ref, last] = [await findBlock(read, block), (await findCursor(read))?.block]
  try {
    const [{ header, logs, weight }, top] = await Promise.all([
      readReceipts(node, block),
      last && last.number > block ? node.readHeader(last.number) : undefined,
    ])
    const isOurs = ref !== undefined && header.hash === ref.hash
    if (!isOurs && !isSameBlock(top, last) && (ref || last)) return undefined
    // It may have been led elsewhere for the moment of the first answer.
    if (!isOurs && !isSameBlock(header, await node.readHeader(block))) return undefined
    const { hash, timestampSeconds } = header
    const strength = judgeWeight(weight, receipts.traits())
    const isWhole = strength !== undefined && logs.every(({ blockHash }) => blockHash === hash)
    const evidence = {
      logs: logs.map((log) => ({ ...log, timestampSeconds })),
      isProven: strength === 'proven' && (isOurs || !ref),
    }
    return { hash, isOurs, evidence: isWhole ? evidence : undefined }
  } catch (error) {
    failureOfNode(error)
    return undefined
  }
}

function isSameBlock(a: Pick<BlockRef, 'hash'> | undefined, b: Pick<BlockRef, 'hash'> | undefined): boolean {
  return a !== undefined && a.hash === b?.hash
}

const sampleEveryMs = 10_000
const sampleSeldomMs = 600_000

export type SampleDeps = Pick<EvidenceDeps, 'receipts'> & { readonly nodes: readonly Chain[]; readonly nowMs: () => number }

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
