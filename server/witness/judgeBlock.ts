import type { Chain } from '../chain/chain.ts'
import { findBlock } from '../store/blocks.ts'
import type { Store } from '../store/store.ts'
import { failureOfNode } from './failureOfNode.ts'
import { readReceipts } from './readReceipts.ts'
import { type CreatedBlockOf, type Keeping, type Lines, pickMostGiven, toLines } from './spanEvents.ts'

type Deps = Keeping & { readonly nodes: readonly Chain[]; readonly store: Store }

/**
 * What an index has to have of a block, by the receipts that most nodes give of the very block that the index holds.
 * @returns undefined when no node gives them, or the nodes have another block of that number
 */
export async function judgeBlock(deps: Deps, block: number, created: CreatedBlockOf): Promise<Lines | undefined> {
  const ref = await findBlock(deps.store.read, block)
  const answers = await Promise.all(deps.nodes.map((node) => readOf(node, block, ref?.hash)))
  const given = answers.flatMap((logs) => (logs ? [[...toLines(deps, logs, created)]] : []))
  const most = pickMostGiven(given, ([text]) => text)
  return most && new Map(most)
}

async function readOf(node: Chain, block: number, hash: string | undefined) {
  try {
    const [logs, header] = await Promise.all([readReceipts(node, block), node.readHeader(block)])
    const isThere = header && (hash === undefined || header.hash === hash)
    return isThere && logs.every(({ blockHash }) => blockHash === header.hash) ? logs : undefined
  } catch (error) {
    failureOfNode(error)
    return undefined
  }
}
