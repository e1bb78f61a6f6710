import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import type { RpcNode } from '../../chain/rpcNode.ts'
import type { Act, NodeFault } from './acts.ts'
import type { ModelBlock, ModelChain } from './modelChain.ts'
import { answerTruly, RpcRefusal } from './modelNode.ts'
import type { Random } from './random.ts'
import { tellLie } from './tellLie.ts'
import type { VirtualClock } from './virtualClock.ts'

export type NodeAct = Act & { readonly kind: 'node' }

/** A fault that is on, with the stream of its draws and what it saw when it began. */
export type RunningFault = {
  readonly act: NodeAct
  readonly random: Random
  /** Where a node that stopped or lies stands; a branch of its own grows. */
  tip: ModelBlock
  /** Blocks by which a branch of its own is ahead of the chain. */
  readonly lead: number
  readonly seen: Set<string>
}

export type FaultyNodeParts = {
  readonly clock: VirtualClock
  readonly chain: ModelChain
  /** Another chain behind the same URL. */
  readonly elsewhere: ModelChain
  readonly random: Random
  readonly latencyMs: number
  /** Faults of this node that are on now. */
  readonly faults: () => readonly RunningFault[]
  readonly note: (what: string) => void
  /** Before and after every call: whether the process that asks is gone. */
  readonly isGone: (side: 'before' | 'after') => boolean
}

/** Calls made at one moment travel together: one fate, one moment of the chain. */
type Batch = {
  readonly atMs: number
  readonly arrivesInMs: number
  tip: ModelBlock | undefined
  readonly thrown: (() => Error) | undefined
}

const url = 'http://node.invalid'
const callLimitMs = 15_000

/** A node as the server's adapter sees it: the chain, through whatever is wrong at the moment. */
export function createFaultyNode(parts: FaultyNodeParts): RpcNode {
  const { clock, random, note, isGone } = parts
  let batch: Batch | undefined
  const travel = (): Batch => {
    const latency = 1 + Math.floor(random.next() * 2 * parts.latencyMs)
    const hit = hitting(parts, ['latency', 'hang', 'http500', 'reset', 'rateLimit', 'rpcError'])
    const slow = hit.find(({ act }) => act.fault === 'latency')
    const broken = hit.find(({ act }) => act.fault !== 'latency')
    const waits = slow ? slow.random.int(1_000, 14_000) : 0
    const arrivesInMs = broken?.act.fault === 'hang' ? callLimitMs : Math.min(latency + waits, callLimitMs)
    return { atMs: clock.nowMs(), arrivesInMs, tip: undefined, thrown: broken && toThrown(broken) }
  }
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (isGone('before')) return
        if (batch?.atMs !== clock.nowMs()) batch = travel()
        const mine = batch
        const split = hitting(parts, ['splitBatch'])[0]
        const lateMs = split ? split.random.int(0, 3_000) : 0
        clock.after(mine.arrivesInMs + lateMs, () => {
          if (isGone('after')) return
          if (mine.thrown) return reject(mine.thrown())
          try {
            resolve(answer(parts, mine, { method, params, late: lateMs > 0 }))
          } catch (error) {
            if (!(error instanceof RpcRefusal)) throw error
            note(`node refused: ${error.message}`)
            reject(refuse(error.code, error.message))
          }
        })
      }),
  }
}

type AskedCall = { readonly method: string; readonly params: unknown; readonly late: boolean }

function answer(parts: FaultyNodeParts, batch: Batch, { method, params, late }: AskedCall): unknown {
  const { chain, elsewhere } = parts
  if (hitting(parts, ['otherChain']).length > 0) return answerTruly(elsewhere, elsewhere.head(), method, params)
  batch.tip ??= tipOf(parts)
  const own = late ? chain.head() : batch.tip
  const balanced = hitting(parts, ['balancer'])[0]
  const tip = balanced ? under(chain, chain.head(), balanced.act.depth) : own
  const wide = method === 'eth_getLogs' ? widthOf(params) : 0
  const limit = hitting(parts, ['rangeLimit'])[0]
  if (limit && wide > limit.act.depth) throw new RpcRefusal(-32005, `block range too wide: at most ${limit.act.depth} blocks`)
  const truth = answerTruly(chain, tip, method, params)
  return tellLie({ chain, tip, method, params, hit: (kinds) => hitting(parts, kinds) }, truth)
}

/** Where the node stands: at the head, or behind it, or on a branch of its own. */
function tipOf(parts: FaultyNodeParts): ModelBlock {
  const { chain } = parts
  const [fault] = hitting(parts, ['falseReorg', 'ownBranch', 'frozen', 'farBehind', 'behind'])
  if (!fault) return chain.head()
  if (fault.act.fault === 'ownBranch') return growBranch(chain, fault)
  if (fault.act.fault === 'falseReorg' || fault.act.fault === 'frozen') return fault.tip
  return under(chain, chain.head(), fault.act.depth)
}

/** In the time of the chain, and ahead of it where the fault says so. */
function growBranch(chain: ModelChain, fault: RunningFault): ModelBlock {
  const head = chain.head()
  while (fault.tip.number < head.number + fault.lead) {
    const { timestampSeconds } = chain.under(head, fault.tip.number + 1) ?? head
    fault.tip = chain.extend(fault.tip, Math.max(fault.tip.timestampSeconds, timestampSeconds))
  }
  return fault.tip
}

function under(chain: ModelChain, tip: ModelBlock, depth: number): ModelBlock {
  return chain.under(tip, Math.max(0, tip.number - depth)) as ModelBlock
}

/** The faults of these kinds that hit this time. */
function hitting({ faults, note }: FaultyNodeParts, kinds: readonly NodeFault[]): RunningFault[] {
  return faults().filter(({ act, random }) => {
    if (!kinds.includes(act.fault) || !random.chance(act.rate)) return false
    note(`fault: ${act.fault}`)
    return true
  })
}

function toThrown({ act, random }: RunningFault): () => Error {
  const waitSeconds = random.int(1, 20)
  const http = (status: number, details: string, headers?: Headers) => () =>
    new HttpRequestError({ url, status, details, ...(headers ? { headers } : {}) })
  switch (act.fault) {
    case 'hang':
      return () => new TimeoutError({ body: {}, url })
    case 'http500':
      return http(500, 'Internal Server Error')
    case 'rateLimit':
      return http(429, 'Too Many Requests', new Headers({ 'retry-after': String(waitSeconds) }))
    case 'rpcError':
      return () => refuse(-32603, 'internal error')
    default:
      return () => new HttpRequestError({ url, cause: new Error('read ECONNRESET') })
  }
}

function refuse(code: number, message: string): Error {
  return new RpcRequestError({ body: {}, error: { code, message }, url })
}

function widthOf(params: unknown): number {
  const [filter] = params as [{ fromBlock?: string; toBlock?: string }]
  return filter.fromBlock ? Number(filter.toBlock) - Number(filter.fromBlock) + 1 : 1
}
