import { Type } from 'typebox'
import type { PublicNode } from '../server/testing/fabricated/publicNode.ts'
import { addressOf } from '../server/testing/simulation/modelLogs.ts'
import { RpcRefusal } from '../server/testing/simulation/modelNode.ts'

// What processes with a fabricated chain are started with, as JSON, and what the node of such a chain cannot know.

/** `FabricatedOptions` of the chain. */
export const chainSchema = Type.Object({
  seed: Type.String(),
  chainId: Type.Integer(),
  blocks: Type.Integer(),
  pools: Type.Integer(),
  crossPools: Type.Optional(Type.Integer()),
  swaps: Type.Integer(),
  periodSeconds: Type.Integer(),
  headSeconds: Type.Integer(),
})

/** `PublicNodeLimits` of its node, as far as benchmarks set them. */
export const limitsSchema = Type.Object({
  latencyMs: Type.Optional(Type.Number()),
  perSecond: Type.Optional(Type.Number()),
  blocksMax: Type.Optional(Type.Integer()),
  wantsAddress: Type.Optional(Type.Boolean()),
  addressesMax: Type.Optional(Type.Integer()),
  tellsTimes: Type.Optional(Type.Boolean()),
  behind: Type.Optional(Type.Integer()),
})

/** Answers in place of a fabricated node what no log says: one account sent all transactions, and no call can be simulated. */
export async function requestWithSender(node: Pick<PublicNode, 'request'>, method: string, params: unknown): Promise<unknown> {
  const first: unknown = Array.isArray(params) ? params[0] : undefined
  if (method === 'eth_getTransactionByHash') return { hash: first, from: addressOf('the trader') }
  const isSimulation = typeof first === 'object' && first !== null && !('to' in first && first.to)
  if (method === 'eth_call' && isSimulation) throw new RpcRefusal(3, 'execution reverted')
  return node.request(method, params)
}
