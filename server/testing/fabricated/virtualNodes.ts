import { HttpRequestError, RpcRequestError } from 'viem'
import { paceCalls } from '../../chain/paceCalls.ts'
import type { RpcNode } from '../../chain/rpcNode.ts'
import { createNodeChain } from '../../chain/viemChain.ts'
import { RpcRefusal } from '../simulation/modelNode.ts'
import { createVirtualClock, type VirtualClock } from '../simulation/virtualClock.ts'
import type { FabricatedChain } from './fabricatedChain.ts'
import { createPublicNode, type PublicNodeLimits } from './publicNode.ts'

const url = 'http://node.invalid'
/** What a node was asked: calls, those without an answer yet, and the highest block of a range of logs. */
type Counted = { sent: number; underWay: number; highest: number }

const never = new AbortController().signal

/** A node, or what is in its place. */
export type VirtualNode = PublicNodeLimits & {
  readonly chain: FabricatedChain
  /** Every call is refused with this status. */
  readonly status?: number
  readonly retryAfterSeconds?: number
}

/** Public nodes in the time of a clock that a test runs, each at its own pace as the server's are. */
export function createVirtualNodes(nodes: readonly VirtualNode[]) {
  const clock = createVirtualClock(0)
  const calls = nodes.map((): Counted => ({ sent: 0, underWay: 0, highest: 0 }))
  const paced = nodes.map((node, i) => {
    const counted = calls[i] as Counted
    return paceCalls(toRpcNode(node, clock, counted), { nowMs: clock.nowMs, pause: (ms) => clock.pause(ms, never) })
  })
  return { clock, calls, chain: createNodeChain(paced, { clock }) }
}

function toRpcNode(node: VirtualNode, clock: VirtualClock, counted: Counted): RpcNode {
  const pause = (ms: number) => clock.pause(ms, never)
  const { request } = createPublicNode(node.chain, node, { nowMs: clock.nowMs, pause })
  const answer = async (method: string, params: unknown) => {
    const { status, retryAfterSeconds } = node
    if (status !== undefined) {
      await pause(node.latencyMs ?? 0)
      const headers =
        retryAfterSeconds === undefined ? {} : { headers: new Headers({ 'retry-after': String(retryAfterSeconds) }) }
      throw new HttpRequestError({ url, status, details: '', ...headers })
    }
    try {
      return await request(method, params)
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error
      throw new RpcRequestError({ url, body: {}, error: { code: error.code, message: error.message } })
    }
  }
  return {
    request: (method, params, signal) => {
      counted.sent += 1
      counted.underWay += 1
      if (method === 'eth_getLogs')
        counted.highest = Math.max(counted.highest, Number((params as [{ toBlock: string }])[0].toBlock))
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      answer(method, params).then(resolve, reject)
      return promise.finally(() => {
        counted.underWay -= 1
      })
    },
  }
}
