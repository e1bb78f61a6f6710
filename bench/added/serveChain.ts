// A node of a fabricated chain, in a process of its own: argument 1 is its facts as JSON. It sends its URL, grows with the clock, notes
// which logs it is asked for, and follows orders.
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { createPublicNode } from '../../server/testing/fabricated/publicNode.ts'
import { serveNode } from '../../server/testing/fabricated/serveNode.ts'
import { parseJson } from '../checkShape.ts'
import { requestWithSender } from '../fabricatedFacts.ts'
import { type LogCall, type NodeOrder, servedFacts } from './nodeMessages.ts'

const filterSchema = Type.Object({
  fromBlock: Type.String(),
  toBlock: Type.Optional(Type.String()),
  address: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
})

const { chain: options, limits } = parseJson(servedFacts, process.argv[2] ?? '', 'the facts')
const chain = fabricateChain(options)
const node = createPublicNode(chain, limits, { nowMs: () => performance.now(), pause: (ms) => sleep(ms) })
let logs: LogCall[] = []
let all = 0
let endAt = Number.POSITIVE_INFINITY

/** The head is as old as the chain's blocks make it, at every node the same. */
function grow(): void {
  const due = Math.min(endAt, options.blocks + Math.floor((Date.now() / 1_000 - options.headSeconds) / options.periodSeconds))
  const behind = due - chain.head().number
  if (behind > 0) chain.grow(behind)
}

function note(method: string, params: unknown): void {
  all += 1
  const filter: unknown = Array.isArray(params) ? params[0] : undefined
  if (method !== 'eth_getLogs' || !Value.Check(filterSchema, filter)) return
  const { fromBlock, toBlock, address } = filter
  logs.push({ from: Number(fromBlock), to: Number(toBlock), ...(address === undefined ? {} : { addresses: [address].flat() }) })
}

async function request(method: string, params: unknown): Promise<unknown> {
  grow()
  note(method, params)
  return requestWithSender(node, method, params)
}

process.on('message', (order: NodeOrder) => {
  grow()
  endAt = order.endAt ?? endAt
  if (order.endAt !== undefined) process.send?.({ head: chain.head().number })
  if (order.tell) process.send?.({ calls: { logs, all } })
  if (order.forget) [logs, all] = [[], 0]
})
process.on('disconnect', () => process.exit())
process.send?.({ listening: (await serveNode({ request })).url })
