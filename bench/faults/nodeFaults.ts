import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../server/testing/simulation/random.ts'
import { type Exchange, type NodeFault, RpcRefusal } from './faultProxy.ts'
import { forgetOld, seeBehind, seeFrozen, seeOtherChain, toOtherHash } from './otherViews.ts'

/** One fault of a node, and when it begins. */
export type NodeKind = {
  readonly name: string
  /** The server starts with an empty store while the fault is there. */
  readonly atStart?: boolean
  /** An honest node is the second of two URLs. */
  readonly withSecond?: boolean
  readonly fault: NodeFault
}

type Log = Readonly<Record<string, unknown>>

const random = createRandom('faults')
const bigBodyBytes = 200 * 1024 * 1024
const chunkBytes = 1024 * 1024
const chainIdOfBase = 8453

/** Faults that real nodes had. */
export const nodeKinds: readonly NodeKind[] = [
  { name: 'latency 5 s', fault: { wire: () => sleep(5_000, false) } },
  { name: 'HTTP 500 for 50 %', fault: { wire: (exchange) => random.chance(0.5) && say(exchange, 500, 'Internal Server Error') } },
  { name: 'HTTP 429, Retry-After 3', fault: { wire: (exchange) => say(exchange, 429, '{}', { 'retry-after': '3' }) } },
  { name: 'truncated JSON', fault: { text: (text) => text.slice(0, Math.floor(text.length / 2)) } },
  { name: 'HTML body', fault: { text: () => '<!doctype html><title>Checking your browser</title>' } },
  { name: 'connection reset', fault: { wire: ({ response }) => destroy(response.socket) } },
  { name: 'null logs', fault: ofCalls('eth_getLogs', 0.4, () => null) },
  { name: 'null blocks', fault: ofCalls('eth_getBlockByNumber', 0.4, () => null) },
  { name: 'JSON-RPC errors', fault: { call: refuseSome } },
  { name: 'swapped ids', fault: { text: swapIds } },
  { name: 'no batch support (at start)', atStart: true, fault: { wire: refuseBatch } },
  { name: '200 MB body', fault: { wire: sendBigBody } },
  { name: 'hung sockets, 50 %', fault: { wire: () => random.chance(0.5) } },
  { name: 'hung sockets, 100 %', fault: { wire: () => true } },
  { name: 'wrong chain id at start', atStart: true, fault: { call: seeOtherChain(chainIdOfBase) } },
  { name: 'node lags 5 blocks', fault: { call: seeBehind(() => 5) } },
  { name: 'logs out of order', fault: ofLogs((logs) => logs.toReversed()) },
  { name: 'wrong block number in a log', fault: ofLogs(changeOne((log) => ({ ...log, blockNumber: '0x1' }))) },
  { name: 'wrong hashes in headers', fault: ofBlocks((block) => ({ ...block, hash: toOtherHash(String(block['hash'])) })) },
  { name: 'timestamps 0', fault: ofBlocks((block) => ({ ...block, timestamp: '0x0' })) },
  { name: 'a log twice', fault: ofLogs((logs) => [...logs, ...logs.slice(0, 1)]) },
  { name: 'bad hexadecimal in a log', fault: ofLogs(changeOne((log) => ({ ...log, data: '0xzz' }))) },
  { name: 'a field of a log missing', fault: ofLogs(changeOne(({ transactionHash: _, ...log }) => log)) },
  { name: 'empty logs (40 %)', fault: ofCalls('eth_getLogs', 0.4, () => []) },
  { name: 'some logs missing', fault: ofLogs((logs) => logs.filter(() => random.chance(0.7))) },
  { name: 'logs and receipts of old blocks gone', fault: { call: forgetOld(20) } },
  { name: 'removed: true on live logs', fault: ofLogs((logs) => logs.map((log) => ({ ...log, removed: true }))) },
  { name: 'balancer: each call 0 or 5 blocks behind', fault: { call: seeBehind(() => random.pick([0, 5])) } },
  { name: 'URL leads to another chain (8453)', fault: { call: seeOtherChain(chainIdOfBase) } },
  { name: 'another genesis, same chain id', fault: { call: seeOtherChain(31_337) } },
  { name: 'node 100 blocks behind', fault: { call: seeBehind(() => 100) } },
  { name: 'first of two URLs hangs', withSecond: true, fault: { wire: () => true } },
  { name: 'first of two URLs omits logs', withSecond: true, fault: ofLogs((logs) => logs.slice(1)) },
  { name: 'first of two URLs makes up a log', withSecond: true, fault: ofLogs(makeUpOne) },
  { name: 'first of two URLs stops importing', withSecond: true, fault: { call: seeFrozen() } },
  {
    name: 'first of two URLs: HTTP 429, Retry-After a day',
    withSecond: true,
    fault: { wire: (exchange) => say(exchange, 429, '{}', { 'retry-after': '86400' }) },
  },
]

function say({ response }: Exchange, status: number, body: string, headers: Record<string, string> = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  return true
}

function destroy(socket: Exchange['response']['socket']): true {
  socket?.resetAndDestroy()
  return true
}

function ofCalls(wanted: string, rate: number, change: (result: unknown) => unknown): NodeFault {
  return {
    call: async ({ method, params }, honest) => {
      const result = await honest(method, params)
      return method === wanted && random.chance(rate) ? change(result) : result
    },
  }
}

function ofLogs(change: (logs: readonly Log[]) => readonly Log[]): NodeFault {
  return ofCalls('eth_getLogs', 1, (logs) => (isLogs(logs) ? change(logs) : logs))
}

function ofBlocks(change: (block: Log) => Log): NodeFault {
  return ofCalls('eth_getBlockByNumber', 1, (block) => (isLog(block) ? change(block) : block))
}

function isLog(value: unknown): value is Log {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isLogs(value: unknown): value is readonly Log[] {
  return Array.isArray(value) && value.every(isLog)
}

/** The last log again, as if it had happened once more. */
function makeUpOne(logs: readonly Log[]): readonly Log[] {
  const last = logs.at(-1)
  return last ? [...logs, { ...last, logIndex: `0x${(Number(last['logIndex']) + 1).toString(16)}` }] : logs
}

function changeOne(change: (log: Log) => Log): (logs: readonly Log[]) => readonly Log[] {
  return (logs) => logs.map((log, place) => (place === 0 ? change(log) : log))
}

async function refuseSome(...[{ method, params }, honest]: Parameters<NonNullable<NodeFault['call']>>): Promise<unknown> {
  if (random.chance(0.4)) throw new RpcRefusal(-32_603, 'internal error')
  return honest(method, params)
}

/** Each answer of a batch has the id of the one before it. A single answer has an id of no request. */
function swapIds(text: string): string {
  const answers: unknown = JSON.parse(text)
  if (!isLogs(answers)) return JSON.stringify({ ...Object(answers), id: 999_999 })
  return JSON.stringify(answers.map((answer, place) => ({ ...answer, id: answers.at(place - 1)?.['id'] })))
}

function refuseBatch(exchange: Exchange): boolean {
  const error = { code: -32_600, message: 'batch requests are not supported' }
  return exchange.isBatch && say(exchange, 200, JSON.stringify({ jsonrpc: '2.0', id: null, error }))
}

function sendBigBody({ response }: Exchange): true {
  const chunk = Buffer.alloc(chunkBytes, ' ')
  let left = bigBodyBytes
  response.writeHead(200, { 'content-type': 'application/json' })
  const pump = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunkBytes
      if (!response.write(chunk)) return response.once('drain', pump)
    }
    return response.end()
  }
  pump()
  return true
}
