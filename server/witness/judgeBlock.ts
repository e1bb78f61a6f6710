import type { Chain, ChainLog } from '../chain/chain.ts'
import { findBlock } from '../store/blocks.ts'
import type { Db, Store } from '../store/store.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
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
 * The logs of a block's receipts, if it is the block of the index there: by its hash, or because the node has the index's last
 * block above it. The index may have no hash of an old block, or a false one that a node once gave.
 * @returns undefined when it is another block, or the node does not answer
 */
export async function readOwnReceipts(node: Chain, read: Db, block: number): Promise<readonly ChainLog[] | undefined> {
  const [ref, last] = [await findBlock(read, block), (await findCursor(read))?.block]
  try {
    const [logs, header, top] = await Promise.all([
      readReceipts(node, block),
      node.readHeader(block),
      last && last.number > block ? node.readHeader(last.number) : undefined,
    ])
    const isOwn = (!ref && !last) || (ref !== undefined && header?.hash === ref.hash) || isSameBlock(top, last)
    return isOwn && logs.every(({ blockHash }) => blockHash === header?.hash) ? logs : undefined
  } catch (error) {
    failureOfNode(error)
    return undefined
  }
}

function isSameBlock(a: BlockRef | undefined, b: BlockRef | undefined): boolean {
  return a !== undefined && a.hash === b?.hash
}
