import { Failure } from '@chainboard/core'
import type { Chain, Header } from './chain.ts'
import { Endpoints, type EndpointsOptions, systemClock } from './endpoints.ts'
import { createHeaderProof } from './headerProof.ts'
import { createHeadWatch, isBehindMost, isLeap, pickHead } from './headWatch.ts'
import type { HistoryNode } from './history/historyNode.ts'
import { createLane } from './history/lane.ts'
import { readHistory } from './history/readHistory.ts'
import { createHttpNode, type HttpNodeOptions } from './httpNode.ts'
import { parseChainId, parseHeader } from './parseAnswer.ts'
import { type Call, type NodeTraits, readAlso, readHeader, readRange, readsNamed, toHex } from './readRange.ts'
import { readTokenFacts } from './readTokenFacts.ts'
import type { RpcNode } from './rpcNode.ts'
import { toFailure } from './toFailure.ts'

/** What must happen once is asked of one node alone, even when it is silent. */
const onceMethods = new Set(['eth_sendRawTransaction'])
const headerMethod = 'eth_getBlockByNumber'
/** How long other nodes have for their heads; as long as a slow one takes where most of them decide: a silent one is on nobody's side. */
const headWaitMs = { usual: 2_000, most: 4_000 }

/** `onOtherHashes`: told once when the chain has begun to make the hashes of its headers in another way than before. */
type ChainOptions = EndpointsOptions & { readonly onOtherHashes?: (text: string) => void }

type NodeClient = { readonly node: RpcNode; readonly traits: NodeTraits }

/** The chain behind one or more JSON-RPC URLs. */
export function createViemChain(rpcUrls: readonly string[], options: HttpNodeOptions & ChainOptions = {}): Chain {
  return createNodeChain(
    rpcUrls.map((url) => createHttpNode(url, options)),
    options,
  )
}

/**
 * The chain behind one or more nodes. Calls that belong together go to one node. When a node stays silent, the next one is asked
 * all of it too (`endpoints.ts`).
 */
export function createNodeChain(nodes: readonly RpcNode[], options: ChainOptions = {}): Chain {
  const clients: NodeClient[] = nodes.map((node) => ({
    node,
    traits: {
      refusesHashFilter: false,
      wantsAddresses: false,
      period: { seconds: undefined },
      isLimited: () => node.isLimited?.() ?? false,
    },
  }))
  const { clock = systemClock, onOutcome = () => undefined } = options
  const proof = createHeaderProof({ nodes: nodes.length, nowMs: clock.nowMs, onForget: options.onOtherHashes })
  const toCall = (client: NodeClient) => callOf(client.node, (answer) => proof.check(answer, clients.indexOf(client)))
  const endpoints = new Endpoints(clients, options)
  type Work<T> = (call: Call, client: NodeClient) => Promise<T>
  /** A call that asks for no range cannot ask for too wide a one: a node that times out then is silent, and another one is asked. */
  const use = <T>(kind: string, work: Work<T>, { ofRange = false, mayRefuse = false } = {}) =>
    endpoints.use(
      async (client) => {
        try {
          return await work(toCall(client), client)
        } catch (error) {
          const failure = toFailure(error, { ofRange })
          // What cannot be true comes again: the next one is asked instead.
          if (clients.length > 1 && failure instanceof Failure && failure.code === 'rpc-invalid') endpoints.distrust(client)
          throw failure
        }
      },
      { kind, hedged: !onceMethods.has(kind), mayRefuse },
    )

  const toHistoryNode = (client: NodeClient, place: number): HistoryNode => {
    const { node, traits } = client
    const lane = createLane(clock.nowMs, () => node.waiting?.() ?? 0)
    const read = async <T>(signal: AbortSignal, work: (call: Call) => Promise<T>) => {
      const call: Call = async <A>(method: string, params: unknown) => {
        const askedAtMs = clock.nowMs()
        const answer = await node.request(method, params, signal)
        lane.heard(clock.nowMs() - askedAtMs)
        if (method === headerMethod) proof.check(answer, place)
        return answer as A
      }
      try {
        return await work(call)
      } catch (error) {
        throw toFailure(error)
      }
    }
    return {
      lane,
      read: async (request, signal) => {
        const range = await read(signal, (call) => readRange(call, request, traits))
        return { range, named: readsNamed(request, traits) }
      },
      readAlso: (range, request, signal) => read(signal, (call) => readAlso(call, range, request, traits)),
      distrust: () => {
        lane.distrust(endpoints.distrust(client))
      },
      count: (outcome) => onOutcome(place, outcome),
    }
  }
  const historyNodes = clients.map(toHistoryNode)
  const distrust = (client: NodeClient) => historyNodes[clients.indexOf(client)]?.distrust()
  const withDistrust = <T extends object>(answer: T, client: NodeClient): T & { readonly distrust?: () => void } =>
    clients.length > 1 ? { ...answer, distrust: () => distrust(client) } : answer

  let wantedChainId: number | undefined
  const readChainIdOf = async (call: Call, client: NodeClient) => {
    const found = parseChainId(await call<unknown>('eth_chainId', []))
    if (clients.length > 1 && wantedChainId !== undefined && found !== wantedChainId) distrust(client)
    return found
  }
  const heads = createHeadWatch(clock.nowMs)
  const readHeadOf = async (call: Call, client: NodeClient) => ({ head: await readHeader(call, 'latest'), client })
  /** Of the nodes of the same chain that answer soon: one that hangs must not hold up the others. */
  const readOtherHeads = async (asked: NodeClient, waitMs: number) => {
    const over = new AbortController()
    const late = clock.pause(waitMs, over.signal).then(() => undefined)
    const others = clients.filter((client) => client !== asked)
    const readOne = async (client: NodeClient) => {
      const call = toCall(client)
      // At the same time: a node has the time of one call for both, and does not learn from the first that it is compared.
      const [head, chainId] = await Promise.all([readHeadOf(call, client), wantedChainId && readChainIdOf(call, client)])
      return chainId === wantedChainId ? head : undefined
    }
    const answers = await Promise.all(others.map((client) => Promise.race([readOne(client).catch(() => undefined), late])))
    over.abort()
    return answers.flatMap((answer) => answer ?? [])
  }

  return {
    readChainId: (wanted) => {
      wantedChainId = wanted ?? wantedChainId
      return use('chainId', readChainIdOf)
    },
    readHead: async () => {
      const first = await use('head', readHeadOf)
      const doubt = clients.length > 1 ? heads.findDoubt(first.head) : undefined
      if (doubt === undefined) return withDistrust(first.head, first.client)
      const waitMs = doubt === 'leap' && clients.length > 2 ? headWaitMs.most : headWaitMs.usual
      const all = [first, ...(await readOtherHeads(first.client, waitMs))] as const
      // One that has left the chain may be ahead of it. Half of all at least decide: no node alone about the others.
      const [trusted, ...others] = all.filter(({ client }) => !endpoints.isDistrusted(client))
      const jury = trusted && (others.length + 1) * 2 >= clients.length ? ([trusted, ...others] as const) : all
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const picked = pickHead(jury, { nodes: clients.length, nowSeconds })
      heads.take(picked.head)
      for (const { head, client } of jury) if (isLeap(head, picked.head)) distrust(client)
      // It has stopped, or is behind: nothing that it said was false.
      const rest = jury.filter((each) => each !== first).map(({ head }) => head)
      if (doubt === 'stands' && isBehindMost(first.head, rest, { others: clients.length - 1, isLate: false }))
        endpoints.putLast(first.client)
      return withDistrust(picked.head, picked.client)
    },
    readHeader: (number) =>
      use('header', async (call, client) => {
        const header = await findHeader(call, number)
        // Every chain has a first block: a node without it says nothing of which chain it is on.
        if (!header && number === 0 && clients.length > 1) endpoints.putLast(client)
        return header && withDistrust(header, client)
      }),
    readHeaderOfEach: async (number) => {
      const answers = await Promise.allSettled(clients.map((client) => findHeader(toCall(client), number)))
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    },
    readRange: (request) =>
      use(
        'range',
        async (call, client) => {
          return withDistrust(await readRange(call, request, client.traits), client)
        },
        { ofRange: true },
      ),
    readHistory: (request) => readHistory(historyNodes, request, clock),
    readTokens: (addresses, since) => use('tokens', (call) => readTokenFacts(call, addresses, since)),
    ...(clients.length > 1
      ? {
          distrust: (place: number) => historyNodes[place]?.distrust(),
          putLast: (place = clients.indexOf(endpoints.first())) => endpoints.putLast(clients[place]),
        }
      : {}),
    forward: (method, params, check) =>
      use(
        onceMethods.has(method) ? method : 'forward',
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

function callOf(node: RpcNode, check: (header: unknown) => void): Call {
  return async (method, params) => {
    const answer = await node.request(method, params)
    if (method === headerMethod) check(answer)
    return answer as never
  }
}

async function findHeader(call: Call, number: number): Promise<Header | undefined> {
  const answer = await call<unknown>('eth_getBlockByNumber', [toHex(number), false])
  return answer === null ? undefined : parseHeader(answer, number)
}
