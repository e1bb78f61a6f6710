import type { NodeTraits } from './readRange.ts'
import type { RpcNode } from './rpcNode.ts'

/** The method whose answers are headers. */
export const headerMethod = 'eth_getBlockByNumber'

/** One node, its place among those of the chain, and what was learned of it. */
export type NodeClient = { readonly node: RpcNode; readonly place: number; readonly traits: NodeTraits }

/** A node of which nothing is known yet. */
export function toNodeClient(node: RpcNode, place: number): NodeClient {
  return {
    ...{ node, place },
    traits: {
      refusesHashFilter: false,
      wantsAddresses: false,
      period: { seconds: undefined },
      isLimited: () => node.isLimited?.() ?? false,
    },
  }
}
