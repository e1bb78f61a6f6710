import type { Address, Hex } from '@chainboard/core'
import { Failure } from '@chainboard/core'
import type { Chain, ChainLog, ChainRange, Header, RangeRequest } from './chain.ts'
import { Endpoints, type EndpointsOptions } from './endpoints.ts'
import { createHttpNode, type HttpNodeOptions, type RpcNode } from './httpNode.ts'
import { readTokenFacts } from './readTokenFacts.ts'
import { toFailure } from './toFailure.ts'

type RpcHeader = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex }
type RpcLog = {
  address: Address
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  blockHash: Hex
  logIndex: Hex
  transactionHash: Hex
  /** Newer nodes say it; asking for the header of every block with a log is much slower. */
  blockTimestamp?: Hex
  removed?: boolean
}

/** What must happen once is asked of one node alone, even when it is silent. */
const onceMethods = new Set(['eth_sendRawTransaction'])

/** The chain behind one or more JSON-RPC URLs. */
export function createViemChain(rpcUrls: readonly string[], options: HttpNodeOptions & EndpointsOptions = {}): Chain {
  return createNodeChain(
    rpcUrls.map((url) => createHttpNode(url, options)),
    options,
  )
}

/**
 * The chain behind one or more nodes. Calls that belong together go to one node. When a node stays silent, the next one is asked
 * all of it too (`endpoints.ts`).
 */
export function createNodeChain(nodes: readonly RpcNode[], options: EndpointsOptions = {}): Chain {
  const endpoints = new Endpoints(nodes, options)
  const use = <T>(kind: string, work: (call: Call) => Promise<T>, meaning?: { readonly ofRange: boolean }) =>
    endpoints.use(
      async (node) => {
        try {
          return await work(callOf(node))
        } catch (error) {
          throw toFailure(error, meaning)
        }
      },
      { kind, hedged: !onceMethods.has(kind) },
    )

  return {
    readChainId: () => use('chainId', async (call) => Number(await call<Hex>('eth_chainId', []))),
    readHead: () =>
      use('head', async (call) =>
        toHeader(await mustHave(call<RpcHeader | null>('eth_getBlockByNumber', ['latest', false]), 'latest')),
      ),
    readHeader: (number) => use('header', (call) => findHeader(call, number)),
    readHeaderOfEach: async (number) => {
      const answers = await Promise.allSettled(nodes.map((node) => findHeader(callOf(node), number)))
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    },
    readRange: (request) => use('range', (call) => readRange(call, request)),
    readTokens: (addresses) => use('tokens', (call) => readTokenFacts(call, addresses)),
    forward: (method, params) =>
      use(onceMethods.has(method) ? method : 'forward', (call) => call(method, params), { ofRange: method === 'eth_getLogs' }),
  }
}

/** One JSON-RPC call to one node. */
export type Call = <T>(method: string, params: unknown) => Promise<T>

function callOf(node: RpcNode): Call {
  return (method, params) => node.request(method, params) as Promise<never>
}

async function findHeader(call: Call, number: number): Promise<Header | undefined> {
  const header = await call<RpcHeader | null>('eth_getBlockByNumber', [toHex(number), false])
  return header ? toHeader(header) : undefined
}

async function readRange(call: Call, { from, to, topics, address, everyHeader }: RangeRequest): Promise<ChainRange> {
  const wanted = everyHeader ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : from === to ? [from] : [from, to]
  const readHeader = async (number: number) =>
    toHeader(await mustHave(call<RpcHeader | null>('eth_getBlockByNumber', [toHex(number), false]), number))
  const filter = { fromBlock: toHex(from), toBlock: toHex(to), topics: [topics], ...(address ? { address } : {}) }
  const [logs, ...edges] = await Promise.all([call<RpcLog[] | null>('eth_getLogs', [filter]), ...wanted.map(readHeader)])
  if (!logs) throw behind(to)
  const kept = logs.filter(({ removed }) => !removed)
  const times = new Map(edges.map(({ number, timestampSeconds }) => [number, timestampSeconds]))
  for (const log of kept) if (log.blockTimestamp) times.set(Number(log.blockNumber), Number(log.blockTimestamp))
  const missing = [...new Set(kept.map((log) => Number(log.blockNumber)))].filter((number) => !times.has(number))
  for (const header of await Promise.all(missing.map(readHeader))) times.set(header.number, header.timestampSeconds)
  return { headers: edges, logs: kept.map((log) => toLog(log, times.get(Number(log.blockNumber)) ?? 0)).sort(byPlace) }
}

/** A node behind others of its kind has no such block yet; taking its empty answer for the truth would skip events. */
async function mustHave<T>(answer: Promise<T | null>, block: number | 'latest'): Promise<T> {
  const value = await answer
  if (value === null) throw behind(block)
  return value
}

function behind(block: number | 'latest'): Failure {
  return new Failure('rpc-unavailable', `The node does not have block ${block}`, { retryable: true, detail: { block } })
}

function toHex(number: number): Hex {
  return `0x${number.toString(16)}`
}

function toHeader(header: RpcHeader): Header {
  return {
    number: Number(header.number),
    hash: header.hash,
    parentHash: header.parentHash,
    timestampSeconds: Number(header.timestamp),
  }
}

function toLog(log: RpcLog, timestampSeconds: number): ChainLog {
  return {
    address: log.address.toLowerCase() as Address,
    topics: log.topics,
    data: log.data,
    blockNumber: Number(log.blockNumber),
    blockHash: log.blockHash,
    logIndex: Number(log.logIndex),
    txHash: log.transactionHash,
    timestampSeconds,
  }
}

function byPlace(a: ChainLog, b: ChainLog): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
}
