import { Failure } from '@chainboard/core'
import { createClient, type HttpTransport, http, rpcSchema, TimeoutError } from 'viem'
import { fallBackToSingle } from './fallBackToSingle.ts'
import { hideOwnWords } from './hideOwnWords.ts'
import { isRedirect } from './isRedirect.ts'
import { paceCalls } from './paceCalls.ts'
import type { RpcNode } from './rpcNode.ts'

const timeoutMsDefault = 15_000
const answerBytesMaxDefault = 10 * 1024 * 1024
/** Calls that travel in one HTTP request; public nodes refuse much more. */
const batchMax = 50

export type HttpNodeOptions = {
  readonly timeoutMs?: number
  /** False: each call is an HTTP request of its own, so that one call's failure cannot fail another. */
  readonly together?: boolean
  /** A longer answer fails the call; 10 MB when absent. */
  readonly answerBytesMax?: number
  /** True: a call that is refused for its rate waits and is sent again. For readers that nobody waits for. */
  readonly paced?: boolean
}

/** Clients so far: each has batches of its own. */
let clients = 0

/**
 * The node behind a URL. One that refuses batches is sent single calls. No redirect is followed: it could lead into the host's own
 * network, and take a visitor's call along.
 */
export function createHttpNode(
  url: string,
  { timeoutMs = timeoutMsDefault, together = true, answerBytesMax = answerBytesMaxDefault, paced = false }: HttpNodeOptions = {},
): RpcNode {
  // viem leaves out its own time limit where a call has a signal, and none of its limits is for the body.
  const fetchFn: typeof fetch = async (input, init) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([...(init?.signal ? [init.signal] : []), limit])
    try {
      return await refuseRedirect(await fetch(input, { ...init, signal, redirect: 'manual' }))
    } catch (error) {
      throw limit.aborted ? new TimeoutError({ body: {}, url }) : error
    }
  }
  const limits = { retryCount: 0, timeout: timeoutMs, maxResponseBodySize: answerBytesMax, fetchFn }
  const alone = toNode(http(url, { batch: false, ...limits }), url)
  if (!together) return alone
  // viem keeps one batch for each URL, across clients: a wide answer to one would fail the others. A fragment is never sent.
  clients += 1
  const batched = toNode(http(`${url}#${clients}`, { batch: { batchSize: batchMax, wait: 0 }, ...limits }), url)
  const node = fallBackToSingle(batched, alone, () => performance.now())
  return paced ? paceCalls(node) : node
}

/** @throws Failure `rpc-unavailable`, without the address that the node leads to: it may have a key */
async function refuseRedirect(response: Response): Promise<Response> {
  if (!isRedirect(response)) return response
  await response.body?.cancel()
  throw new Failure('rpc-unavailable', 'The node redirects, and redirects are not followed: use the final URL', {
    retryable: true,
  })
}

function toNode(transport: HttpTransport, url: string): RpcNode {
  const client = createClient({
    transport,
    rpcSchema: rpcSchema<[{ Method: string; Parameters: unknown; ReturnType: unknown }]>(),
  })
  const hide = hideOwnWords(url)
  return {
    request: (method, params, signal) =>
      client.request({ method, params }, signal ? { signal } : {}).catch((error: unknown) => {
        throw hide(error)
      }),
  }
}
