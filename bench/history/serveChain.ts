// A process with a fabricated chain behind JSON-RPC: `serveChain.ts <options as JSON>`. It sends its URL, and follows orders.
import { fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { createPublicNode } from '../../server/testing/fabricated/publicNode.ts'
import { serveNode } from '../../server/testing/fabricated/serveNode.ts'
import { parseJson } from '../checkShape.ts'
import { chainSchema, requestWithSender } from '../fabricatedFacts.ts'

/** `grow`: blocks to add; `reorg`: newest blocks to replace by others with the same content. */
export type ChainOrder = { readonly grow?: number; readonly reorg?: number }

const chain = fabricateChain(parseJson(chainSchema, process.argv[2] ?? '', 'the chain'))
const node = createPublicNode(chain, {}, { nowMs: () => performance.now(), pause: async () => undefined })
process.on('message', ({ grow, reorg }: ChainOrder) => {
  if (reorg) chain.reorg(reorg)
  if (grow) chain.grow(grow)
  const { number, hash } = chain.head()
  process.send?.({ head: { number, hash } })
})
process.on('disconnect', () => process.exit())
const { url } = await serveNode({ request: (method, params) => requestWithSender(node, method, params) })
process.send?.({ listening: url })
