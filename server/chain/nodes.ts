import { Failure } from '@chainboard/core'
import { Endpoints, type EndpointsOptions, systemClock } from './endpoints.ts'
import { createHeaderProof } from './headerProof.ts'
import { createHistoryNode } from './history/createHistoryNode.ts'
import type { HistoryNode } from './history/historyNode.ts'
import { headerMethod, type NodeClient, toNodeClient } from './nodeClient.ts'
import type { Call } from './readRange.ts'
import type { RpcNode } from './rpcNode.ts'
import { toFailure } from './toFailure.ts'

/** What must happen once is asked of one node alone, even when it is silent. */
const onceMethods = new Set(['eth_sendRawTransaction'])

/** Whether a method must not be called a second time. */
export const isOnce = (method: string): boolean => onceMethods.has(method)

/** `onOtherHashes`: called once when the chain has begun to make the hashes of its headers in another way than before. */
export type NodesOptions = EndpointsOptions & { readonly onOtherHashes?: (text: string) => void }

/**
 * What is done with the calls of one node. `ofRange`: a node that times out may have been asked for too wide a range; one that was asked for
 * none is silent, and another one is asked. `mayRefuse`: as in `UseOptions`.
 */
type Work<T> = (call: Call, client: NodeClient) => Promise<T>
type WorkOptions = { readonly ofRange?: boolean; readonly mayRefuse?: boolean }

/** The nodes of one chain, with what is known of each. */
export type Nodes = {
  readonly clients: readonly NodeClient[]
  readonly endpoints: Endpoints<NodeClient>
  readonly history: readonly HistoryNode[]
  readonly clock: NonNullable<EndpointsOptions['clock']>
  /** Calls of one node. A header among the answers has to make its hash. */
  callOf(client: NodeClient): Call
  /**
   * Does one work with one node, or with the next when that fails or stays silent.
   * @param kind works of one kind take about the same time; the method itself for one that must happen once
   * @throws Failure of the codes `rpc-…`
   */
  use<T>(kind: string, work: Work<T>, options?: WorkOptions): Promise<T>
  /** What a node answered was not true: it comes last for a while. */
  distrust(client: NodeClient): void
  /** An answer with what is to be called when it turns out not to be true; without that where there is one node. */
  withDistrust<T extends object>(answer: T, client: NodeClient): T & { readonly distrust?: () => void }
}

/** @param nodes in the order in which they are asked */
export function createNodes(nodes: readonly RpcNode[], options: NodesOptions = {}): Nodes {
  const { clock = systemClock, onOutcome } = options
  const clients = nodes.map(toNodeClient)
  const hasOthers = clients.length > 1
  const proof = createHeaderProof({ nodes: nodes.length, nowMs: clock.nowMs, onForget: options.onOtherHashes })
  const endpoints = new Endpoints(clients, options)
  const history = clients.map((client) =>
    createHistoryNode(client, { clock, proof, onOutcome, onDistrust: () => endpoints.distrust(client) }),
  )
  const callOf =
    ({ node, place }: NodeClient): Call =>
    async (method, params) => {
      const answer = await node.request(method, params)
      if (method === headerMethod) proof.check(answer, place)
      return answer
    }
  const distrust = (client: NodeClient) => history[client.place]?.distrust()
  return {
    clients,
    endpoints,
    history,
    clock,
    callOf,
    use: (kind, work, { ofRange = false, mayRefuse = false } = {}) =>
      endpoints.use(
        async (client) => {
          try {
            return await work(callOf(client), client)
          } catch (error) {
            const failure = toFailure(error, { ofRange })
            // What cannot be true comes again: the next one is asked instead.
            if (hasOthers && failure instanceof Failure && failure.code === 'rpc-invalid') endpoints.distrust(client)
            throw failure
          }
        },
        { kind, hedged: !isOnce(kind), mayRefuse },
      ),
    distrust,
    withDistrust: (answer, client) => (hasOthers ? { ...answer, distrust: () => distrust(client) } : answer),
  }
}
