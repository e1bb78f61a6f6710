import type { Chain, ChainLog } from '../chain/chain.ts'
import { findBlock } from '../store/blocks.ts'
import type { Db, Store } from '../store/store.ts'
import { findCursor } from '../store/syncCursor.ts'
import { failureOfNode } from './failureOfNode.ts'
import { readReceipts } from './readReceipts.ts'
import { type CreatedBlockOf, type Keeping, type Lines, pickMostGiven, toLines } from './spanEvents.ts'

type Deps = Keeping & { readonly nodes: readonly Chain[]; readonly store: Store }

/**
 * What an index has to have of a block, by the receipts that most nodes give of the very block that the index holds.
 * @returns undefined when no node gives them, or the nodes have another block of that number
 */
export async function judgeBlock(deps: Deps, block: number, created: CreatedBlockOf): Promise<Lines | undefined> {
  const answers = await Promise.all(deps.nodes.map((node) => readOwnReceipts(node, deps.store.read, block)))
  const given = answers.flatMap((logs) => (logs ? [[...toLines(deps, logs, created)]] : []))
  const most = pickMostGiven(given, ([text]) => text)
  return most && new Map(most)
}

/**
 * The logs of a block's receipts, if it is the block of the index there. Of an old block the index may have no hash: then the
 * node has to have the index's last one, as it may be on another chain.
 * @returns undefined when it is another block, or the node does not answer
 */
export async function readOwnReceipts(node: Chain, read: Db, block: number): Promise<readonly ChainLog[] | undefined> {
  const ref = (await findBlock(read, block)) ?? (await findCursor(read))?.block
  try {
    const [logs, header, known] = await Promise.all([
      readReceipts(node, block),
      node.readHeader(block),
      ref && ref.number !== block ? node.readHeader(ref.number) : undefined,
    ])
    const isOwn = !ref || (ref.number === block ? header : known)?.hash === ref.hash
    return isOwn && logs.every(({ blockHash }) => blockHash === header?.hash) ? logs : undefined
  } catch (error) {
    failureOfNode(error)
    return undefined
  }
}
