// A process with a fabricated chain behind JSON-RPC: `serveChain.ts <options as JSON>`. It says where it listens, and does what it is told.
import { type FabricatedOptions, fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { createPublicNode } from '../../server/testing/fabricated/publicNode.ts'
import { serveNode } from '../../server/testing/fabricated/serveNode.ts'
import { addressOf } from '../../server/testing/simulation/modelLogs.ts'
import { RpcRefusal } from '../../server/testing/simulation/modelNode.ts'

/** `grow`: blocks to put on top; `reorg`: newest blocks to replace by others of the same content. */
export type ChainOrder = { readonly grow?: number; readonly reorg?: number }
export type ChainNews = { readonly listening?: string; readonly head?: { readonly number: number; readonly hash: string } }

const chain = fabricateChain(JSON.parse(process.argv[2] ?? '') as FabricatedOptions)
const node = createPublicNode(chain, {}, { nowMs: () => performance.now(), pause: async () => undefined })
const say = (news: ChainNews) => process.send?.(news)
process.on('message', ({ grow, reorg }: ChainOrder) => {
  if (reorg) chain.reorg(reorg)
  if (grow) chain.grow(grow)
  const { number, hash } = chain.head()
  say({ head: { number, hash } })
})
process.on('disconnect', () => process.exit())
/** Who sent a transaction is in no log: one account sent all. Nothing can be simulated. */
const request: typeof node.request = async (method, params) => {
  const [first] = params as [unknown]
  if (method === 'eth_getTransactionByHash') return { hash: first, from: addressOf('the trader') }
  if (method === 'eth_call' && !(first as { to?: string }).to) throw new RpcRefusal(3, 'execution reverted')
  return node.request(method, params)
}
const { url } = await serveNode({ request })
say({ listening: url })
