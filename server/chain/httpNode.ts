import { createClient, type HttpTransport, http } from 'viem'
import { fallBackToSingle } from './fallBackToSingle.ts'
import { paceCalls } from './paceCalls.ts'

const timeoutMsDefault = 15_000
const answerBytesMaxDefault = 10 * 1024 * 1024
/** Calls that travel in one HTTP request; public nodes refuse much more. */
const batchMax = 50

/**
 * PORT to one node's JSON-RPC. `request` answers with the result as the node gave it, unchecked.
 * Fails with what the transport throws; `toFailure` says what that means.
 */
export type RpcNode = { request(method: string, params: unknown): Promise<unknown> }

export type HttpNodeOptions = {
  readonly timeoutMs?: number
  /** False: each call is an HTTP request of its own, so that one call's failure cannot fail another. */
  readonly together?: boolean
  /** A longer answer fails the call; 10 MB when absent. */
  readonly answerBytesMax?: number
  /** True: a call that is refused for its rate waits and is sent again. For readers that nobody waits for. */
  readonly paced?: boolean
}

/** The node behind a URL. One that refuses batches is sent single calls. */
export function createHttpNode(
  url: string,
  { timeoutMs = timeoutMsDefault, together = true, answerBytesMax = answerBytesMaxDefault, paced = false }: HttpNodeOptions = {},
): RpcNode {
  const limits = { retryCount: 0, timeout: timeoutMs, maxResponseBodySize: answerBytesMax }
  const alone = toNode(http(url, { batch: false, ...limits }))
  if (!together) return alone
  // viem keeps one batch for each URL, across clients.
  const batched = toNode(http(url, { batch: { batchSize: batchMax, wait: 0 }, ...limits }))
  const node = fallBackToSingle(batched, alone, () => performance.now())
  return paced ? paceCalls(node) : node
}

function toNode(transport: HttpTransport): RpcNode {
  const client = createClient({ transport })
  return { request: (method, params) => client.request({ method, params } as never) }
}
