import type { Chain, Header } from './chain.ts'
import { createHeadReader } from './headReader.ts'
import { readHistory } from './history/readHistory.ts'
import { createHttpNode, type HttpNodeOptions } from './httpNode.ts'
import { createNodes, isOnce, type NodesOptions } from './nodes.ts'
import { parseHeader } from './parseAnswer.ts'
import { type Call, readRange, toHex } from './readRange.ts'
import { readTokenFacts } from './readTokenFacts.ts'
import type { RpcNode } from './rpcNode.ts'

/** The chain behind one or more JSON-RPC URLs. */
export function createViemChain(rpcUrls: readonly string[], options: HttpNodeOptions & NodesOptions = {}): Chain {
  return createNodeChain(
    rpcUrls.map((url) => createHttpNode(url, options)),
    options,
  )
}

/**
 * The chain behind one or more nodes. Calls that belong together go to one node. When a node stays silent, the next one is asked
 * all of it too (`endpoints.ts`).
 */
export function createNodeChain(rpcNodes: readonly RpcNode[], options: NodesOptions = {}): Chain {
  const nodes = createNodes(rpcNodes, options)
  const { clients, endpoints, history, use, withDistrust } = nodes
  const hasOthers = clients.length > 1
  return {
    ...createHeadReader(nodes),
    readHeader: (number) =>
      use('header', async (call, client) => {
        const header = await findHeader(call, number)
        // Every chain has a first block: a node without it says nothing of which chain it is on.
        if (!header && number === 0 && hasOthers) endpoints.putLast(client)
        return header && withDistrust(header, client)
      }),
    readHeaderOfEach: async (number) => {
      const answers = await Promise.allSettled(clients.map((client) => findHeader(nodes.callOf(client), number)))
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    },
    readRange: (request) =>
      use('range', async (call, client) => withDistrust(await readRange(call, request, client.traits), client), {
        ofRange: true,
      }),
    readHistory: (request) => readHistory(history, request, nodes.clock),
    readTokens: (addresses, since) => use('tokens', (call) => readTokenFacts(call, addresses, since)),
    ...(hasOthers
      ? {
          distrust: (place: number) => history[place]?.distrust(),
          putLast: (place?: number) => endpoints.putLast(place === undefined ? endpoints.first() : clients[place]),
        }
      : {}),
    forward: (method, params, check) =>
      use(
        isOnce(method) ? method : 'forward',
        async (call) => {
          const answer = await call(method, params)
          await check?.(answer)
          return answer
        },
        // A stranger may have chosen the call, and written the contract that it calls.
        { ofRange: method === 'eth_getLogs', mayRefuse: true },
      ),
  }
}

async function findHeader(call: Call, number: number): Promise<Header | undefined> {
  const answer = await call('eth_getBlockByNumber', [toHex(number), false])
  return answer === null ? undefined : parseHeader(answer, number)
}
