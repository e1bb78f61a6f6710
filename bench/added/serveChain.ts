// A node of a fabricated chain, in a process of its own: argument 1 is its facts as JSON. It says where it listens, grows with the clock,
// notes which logs it is asked for, and does what it is told.
import { setTimeout as sleep } from 'node:timers/promises'
import { type FabricatedOptions, fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { createPublicNode, type PublicNodeLimits } from '../../server/testing/fabricated/publicNode.ts'
import { serveNode } from '../../server/testing/fabricated/serveNode.ts'
import { addressOf } from '../../server/testing/simulation/modelLogs.ts'
import { RpcRefusal } from '../../server/testing/simulation/modelNode.ts'

export type ServedFacts = { readonly chain: FabricatedOptions; readonly limits: PublicNodeLimits }
/** `endAt`: the block that is the last one for good. `forget`: what was asked for so far. */
export type NodeOrder = { readonly endAt?: number; readonly forget?: true; readonly tell?: true }
/** A call for logs. `addresses` is undefined where none are named. */
export type LogCall = { readonly from: number; readonly to: number; readonly addresses: readonly string[] | undefined }
export type NodeNews = {
  readonly listening?: string
  readonly head?: number
  readonly calls?: { readonly logs: readonly LogCall[]; readonly all: number }
}

type Filter = { readonly fromBlock?: string; readonly toBlock?: string; readonly address?: string | readonly string[] }

const { chain: options, limits } = JSON.parse(process.argv[2] ?? '') as ServedFacts
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
  const [filter] = params as [Filter]
  if (method !== 'eth_getLogs' || filter.fromBlock === undefined) return
  const addresses = filter.address === undefined ? undefined : [filter.address].flat()
  logs.push({ from: Number(filter.fromBlock), to: Number(filter.toBlock), addresses })
}

/** Who sent a transaction is in no log: one account sent all. Nothing can be simulated. */
async function request(method: string, params: unknown): Promise<unknown> {
  grow()
  note(method, params)
  const [first] = (params ?? []) as [unknown]
  if (method === 'eth_getTransactionByHash') return { hash: first, from: addressOf('the trader') }
  if (method === 'eth_call' && !(first as { to?: string }).to) throw new RpcRefusal(3, 'execution reverted')
  return node.request(method, params)
}

const say = (news: NodeNews) => process.send?.(news)
process.on('message', (order: NodeOrder) => {
  grow()
  endAt = order.endAt ?? endAt
  if (order.endAt !== undefined) say({ head: chain.head().number })
  if (order.tell) say({ calls: { logs, all } })
  if (order.forget) [logs, all] = [[], 0]
})
process.on('disconnect', () => process.exit())
say({ listening: (await serveNode({ request })).url })
