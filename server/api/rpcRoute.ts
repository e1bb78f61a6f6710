import { type RpcCall, routes } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { boundCall, limitExceeded } from './boundCall.ts'
import type { NodeGate } from './deps.ts'

/** What a wallet or a page needs; nothing that costs a node much, and nothing of a node's owner. */
const allowedMethods = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'net_version',
])

/** Each call of a batch counts. */
const callsPerMinute = 600
/** Calls of one batch that are with the node at the same time. */
const batchAtOnceMax = 4
/** Of all answers of a batch, as JSON: once they are longer, no further call is made. */
const batchCharsMax = 4 * 1024 * 1024

type Answer = { jsonrpc: '2.0'; id: string | number | null } & (
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown } }
)

/**
 * The node's JSON-RPC on our own origin, for chains whose node the browser cannot reach. What a call may cost the node is
 * bounded in `boundCall.ts`.
 */
export function rpcRoute(deps: NodeGate): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    const count = app.createRateLimit({ max: callsPerMinute, timeWindow: '1 minute' })
    app.route({
      ...routes.callNode,
      // Bodies that are no call count, too.
      config: { rateLimit: { max: callsPerMinute, timeWindow: '1 minute' } },
      preHandler: async (request, reply) => {
        const calls = Array.isArray(request.body) ? request.body.length : 1
        for (let i = 0; i < calls; i += 1) {
          const limit = await count(request)
          if (limit.isAllowed) return
          reply.header('x-ratelimit-remaining', limit.remaining).header('x-ratelimit-reset', limit.ttlInSeconds)
          if (!limit.isExceeded) continue
          reply.header('retry-after', limit.ttlInSeconds)
          throw Object.assign(new Error(`Too many calls. Try again in ${limit.ttlInSeconds} s`), { statusCode: 429 })
        }
      },
      handler: async ({ body }) => (Array.isArray(body) ? answerBatch(deps, body) : answerCall(deps, body)),
    })
    done()
  }
}

async function answerBatch(deps: NodeGate, calls: readonly RpcCall[]): Promise<Answer[]> {
  const answers: Answer[] = []
  let chars = 0
  for (let i = 0; i < calls.length; i += batchAtOnceMax) {
    const some = calls.slice(i, i + batchAtOnceMax)
    const got = chars > batchCharsMax ? some.map(toOverlong) : await Promise.all(some.map((each) => answerCall(deps, each)))
    for (const answer of got) chars += JSON.stringify(answer).length
    answers.push(...got)
  }
  return answers
}

function toOverlong(asked: RpcCall): Answer {
  const message = `The results of this batch are over ${batchCharsMax} characters: send fewer calls at once`
  return toError(asked, { code: limitExceeded, message })
}

async function answerCall({ forwardRpc }: NodeGate, asked: RpcCall): Promise<Answer> {
  const { id = null, method, params = [] } = asked
  if (!allowedMethods.has(method)) return toError(asked, { code: -32601, message: `The method ${method} is not available here` })
  const bounded = boundCall(method, params)
  if ('refused' in bounded) return toError(asked, bounded.refused)
  try {
    return { jsonrpc: '2.0', id, result: await forwardRpc(method, bounded.params) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'busy') return toError(asked, { code: limitExceeded, message: error.message })
    const { code, data } = error.detail
    const refused = error.code === 'rpc-refused' && typeof code === 'number'
    return toError(asked, {
      code: refused ? code : -32603,
      message: error.message,
      ...(refused && data !== undefined ? { data } : {}),
    })
  }
}

function toError({ id = null }: RpcCall, error: { code: number; message: string; data?: unknown }): Answer {
  return { jsonrpc: '2.0', id, error }
}
